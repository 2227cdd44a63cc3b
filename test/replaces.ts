/** What is replaced for as long as the process lives. */
const FOR_GOOD = /\bvi\.(mock|doMock)\b|process\.env(\.\w+|\[[^\]]+\]) =[^=]|process\.chdir/

/** What is replaced for a while, and what gives it back. */
const FOR_A_WHILE: readonly (readonly [RegExp, RegExp])[] = [
  [/\bvi\.stubEnv\b/, /\bvi\.unstubAllEnvs\b/],
  [/\bvi\.stubGlobal\b/, /\bvi\.unstubAllGlobals\b/],
  [/\bvi\.useFakeTimers\b/, /\bvi\.useRealTimers\b/],
  [/\bvi\.spyOn\b/, /\b(mockRestore|restoreAllMocks)\b/],
]

/** Whether a test with this text leaves something replaced in its process, or in the modules that it imports. */
export function replaces(text: string): boolean {
  return (
    FOR_GOOD.test(text) || FOR_A_WHILE.some(([takes, givesBack]) => takes.test(text) && !givesBack.test(text))
  )
}
