/** Of this package; its test holds it against package.json. */
export const VERSION = '0.1.0'
