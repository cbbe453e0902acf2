/** Style sheets are bundled as text, for the player's shadow root. */
declare module "*.css" {
  const text: string
  export default text
}
