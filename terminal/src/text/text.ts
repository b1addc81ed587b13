// Texts of typed numbers that cannot be read.
export const enterNumber = 'Enter a number'
export const noSign = 'A number above zero, without a sign'
export const onePoint = 'Digits with one point, such as 1,234.5'
export const useCommas = 'Use commas between thousands, a point before decimals'
