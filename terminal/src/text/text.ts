// Texts of typed numbers that cannot be read, and of missing parts of the page.
export const enterNumber = 'Enter a number'
export const noSign = 'A number above zero, without a sign'
export const onePoint = 'Digits with one point, such as 1,234.5'
export const useCommas = 'Use commas between thousands, a point before decimals'
export const partNotLoaded = 'a part of the page could not be loaded'
