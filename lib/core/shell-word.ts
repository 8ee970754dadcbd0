/** Wraps a shell argument so that no character in it means anything to a POSIX shell (dots of a masked key do not). */
export function quote(argument: string): string {
  return /^[\w@%+=:,./•-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
