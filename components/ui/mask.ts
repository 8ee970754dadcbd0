/** Dots of the same length; separators stay, so that the shape of a key is still seen. */
export function mask(secret: string): string {
  return secret.replace(/[^-_]/g, '•');
}
