/** A word of a command, and what flows into a command. */

export interface Word {
  /** Quotes removed, expansions done. What the line does not tell stands as it was spelled (`$x`). */
  text: string
  /** A part of the text is not known. */
  unknown?: boolean
  /** Unquoted `*`, `?` or `[…]`: a pattern of file names. */
  glob?: boolean
  /** The same word if every variable in it that is not set is empty: `.e${x}nv`. */
  blank?: string
  /** What it may be instead: a variable that only one of several branches sets. */
  others?: readonly Word[]
  /** What is read through a word such as `<(curl …)` or `/dev/fd/3`. */
  flow?: Flow
  /** It stands for all files below a folder, or for those of one name. */
  below?: readonly Below[]
}

export interface Below {
  folder: string
  /** A pattern. */
  name?: string
}

/** What a command reads from its input or a file. */
export interface Flow {
  /** The text, when the line tells it. */
  text?: string
  /** Parts of the text are not known and stand as they were spelled. */
  partly?: boolean
  /** The text names folders that stand for everything below them (`find /`, `git ls-files`). */
  isListing?: boolean
  /** The line tells the text, but it is too long to be kept. */
  tooLong?: boolean
  /** Files whose content is in it. */
  paths?: readonly string[]
  /** Hosts that it was fetched from. */
  hosts?: readonly string[]
  /** It was decoded or decrypted by a program (`base64 -d`) from a text that is not known. */
  decoded?: boolean
  /** Secrets of the environment are in it (`env | …`). */
  environment?: boolean
  /** It names files that were looked for below these folders (`find ~ -name x`). */
  found?: readonly Below[]
  /** It names processes of ours. */
  ours?: boolean
  /** Commands that read what is written here, as they were parsed (`exec 3> >(sh)`). Only redirects.ts looks into it. */
  reader?: object
}

export function word(text: string): Word {
  return { text }
}

/** A command for patterns. */
export interface SimpleCommand {
  /** Program and arguments, quotes removed. */
  words: readonly string[]
  /** The words joined by one space. */
  text: string
}
