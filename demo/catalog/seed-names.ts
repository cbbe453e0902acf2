/** Names by which the demo finds again what it has seeded. */
export const DEMO_ADMIN = { email: "admin@demo.test", password: "supersecret" }
export const CHANNELS = { denmark: "Webshop", europe: "Europe" }
export const REGIONS = { denmark: "Denmark", europe: "Europe" }
