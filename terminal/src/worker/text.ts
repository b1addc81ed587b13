// Texts of problems that the worker reports.
export const configWrong = (reason: string) => `config.json is invalid: ${reason}`
export const partNotLoaded = 'A part of this page could not be loaded: try again.'
export const ownAccountOnly =
  'the wallet can do this only for its own account: switch to Main first'
export const nativeCoin = 'native coin, for gas'
