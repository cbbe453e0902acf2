/** Set by Medusa's admin when it bundles the pages (`admin` in `medusa-config.ts`). */
declare const __BACKEND_URL__: string | undefined
declare const __AUTH_TYPE__: "session" | "jwt" | undefined
declare const __JWT_TOKEN_STORAGE_KEY__: string | undefined
