/** Colour, only on a terminal and only where nobody has said no. */

export interface Painter {
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  dim(text: string): string
  bold(text: string): string
}

export function painter(stream: NodeJS.WriteStream): Painter {
  const on = stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  const with_ = (code: number) => (text: string) => (on ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { red: with_(31), green: with_(32), yellow: with_(33), dim: with_(2), bold: with_(1) }
}
