/** The line for a .env file; the examples of the stream page read the same name. */
export function envLine(secret: string): string {
  return `HEADWATER_API_KEY=${secret}`;
}
