/**
 * Quotes an argument for a POSIX shell if it has characters that the shell would interpret. The bullets (•) of a masked key
 * are not quoted.
 */
export function quoteShellWord(argument: string): string {
  return /^[\w@%+=:,./•-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
