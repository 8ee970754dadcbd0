/** Quotes a shell argument, so that a POSIX shell interprets no character of it (not even the dots of a masked key). */
export function quote(argument: string): string {
  return /^[\w@%+=:,./•-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
