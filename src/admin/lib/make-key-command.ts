/**
 * Prints an encryption key. The same command as in the module's `secrets.ts`, which the browser cannot load; a test
 * compares the two.
 */
export const MAKE_KEY_COMMAND =
  "node -e \"console.log('k1:' + require('crypto').randomBytes(32).toString('base64'))\""
