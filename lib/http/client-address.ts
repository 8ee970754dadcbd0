/** Address of the client. The server in front of Next (web/front-door.ts) has made the header true. */
export function clientAddress(headers: Headers): string {
  return headers.get('x-forwarded-for')?.slice(0, 64) ?? 'unknown';
}
