/** In the text of a test: it replaces something of its process, or of the modules that it imports. */
export const REPLACES =
  /\bvi\.(mock|doMock|stubEnv|stubGlobal|useFakeTimers|spyOn)\b|process\.env(\.\w+|\[[^\]]+\]) =[^=]|process\.chdir/
