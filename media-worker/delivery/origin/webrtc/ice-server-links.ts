import type { IceServer } from '@/lib/infra/settings/rtc-settings';

/** A text as a `quoted-string` of RFC 9110. */
const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The value of a `Link` header with these servers (RFC 9725 §4.6); null if there are none. */
export function formatIceServerLinks(servers: readonly IceServer[]): string | null {
  if (servers.length === 0) return null;
  return servers.map(linkOf).join(', ');
}

function linkOf({ url, login }: IceServer): string {
  const link = `<${url}>; rel="ice-server"`;
  if (!login) return link;
  const { username, credential } = login;
  return `${link}; username=${quote(username)}; credential=${quote(credential)}; credential-type="password"`;
}
