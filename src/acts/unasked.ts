/** So agents call the option by which they ask no more, also those that no dialect tells of. */

const UNASKED =
  /^--(?:dangerously-(?:skip|bypass|allow|disable)-[\w-]+|yolo|yes-always|allow-all-tools|skip-permissions[\w-]*)$/

export function asksNoMore(args: readonly { text: string }[]): boolean {
  return args.some(({ text }) => text.startsWith('--') && UNASKED.test(text))
}
