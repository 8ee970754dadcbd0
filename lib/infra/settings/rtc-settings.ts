import { z } from 'zod';
import { commaSeparatedList, port, type Reject, type Values } from './variable-types';

/** A STUN or TURN server for browsers. */
const iceServer = z.object({
  /** URL without credentials, such as `turn:turn.example.com:3478?transport=udp`. */
  url: z.string(),
  /** Null for a STUN server, and for a TURN server whose credentials are made with `TURN_SECRET`. */
  login: z.object({ username: z.string(), credential: z.string() }).nullable(),
});
export type IceServer = Readonly<z.output<typeof iceServer>>;

const iceServerFormat =
  /^(?<scheme>stuns?|turns?):(?:(?<username>[^:@\s]+):(?<credential>[^@\s]+)@)?(?<host>[\w.-]+|\[[0-9a-fA-F:]+\])(?<port>:\d{1,5})?(?<query>\?transport=(?:udp|tcp))?$/;

/** Parses an ICE server. Null for an invalid URL, and for a STUN server with credentials. */
function parseIceServer(text: string): IceServer | null {
  const groups = iceServerFormat.exec(text)?.groups ?? {};
  const { scheme, username, credential, host, port: portText = '', query = '' } = groups;
  if (scheme === undefined || host === undefined) return null;
  const url = `${scheme}:${host}${portText}${query}`;
  if (scheme.startsWith('stun')) return username === undefined && query === '' ? { url, login: null } : null;
  if (username === undefined || credential === undefined) return { url, login: null };
  try {
    return {
      url,
      login: { username: decodeURIComponent(username), credential: decodeURIComponent(credential) },
    };
  } catch {
    // A percent sign that encodes no character makes the text invalid.
    return null;
  }
}

function formatIceServer({ url, login }: IceServer): string {
  if (login === null) return url;
  const [username, credential] = [login.username, login.credential].map(encodeURIComponent);
  return url.replace(':', `:${username}:${credential}@`);
}

const iceServerText = z.codec(z.string(), iceServer, {
  decode(text, { issues }) {
    const server = parseIceServer(text);
    if (server) return server;
    const message =
      'servers separated by commas, for example stun:stun.example.com:3478,turn:user:password@turn.example.com:3478';
    issues.push({ code: 'custom', input: text, message });
    return z.NEVER;
  },
  encode: formatIceServer,
});

const ipAddress = z.union([z.ipv4(), z.ipv6()], { error: 'IP addresses separated by commas' });

export const rtcVariables = {
  RTC_PORT: port.optional().describe('UDP port of WebRTC; without it, WebRTC is off ([WebRTC](webrtc.md))'),
  RTC_PUBLIC_ADDRESSES: commaSeparatedList(z.array(ipAddress).max(8, { error: 'at most 8 IP addresses' }))
    .default([])
    .describe(
      'IP addresses where `RTC_PORT` is reached from outside, comma-separated: for a machine behind NAT, or a container',
    ),
  ICE_SERVERS: commaSeparatedList(z.array(iceServerText).max(8, { error: 'at most 8 servers' }))
    .default([])
    .describe(
      'STUN and TURN servers for browsers, comma-separated, for example `turn:user:password@turn.example.com:3478`',
    ),
  TURN_SECRET: z
    .string()
    .min(8, { error: 'at least 8 characters' })
    .max(512, { error: 'at most 512 characters' })
    .optional()
    .describe(
      'secret shared with the TURN servers in `ICE_SERVERS` that have no user and password: clients get credentials that are valid for a day ([TURN](webrtc.md#turn))',
    ),
};

/** Rejects TURN servers without any credentials. */
export function checkRtc(
  { ICE_SERVERS, TURN_SECRET }: Pick<Values<typeof rtcVariables>, 'ICE_SERVERS' | 'TURN_SECRET'>,
  reject: Reject,
): void {
  const lacksLogin = ICE_SERVERS.some(({ url, login }) => url.startsWith('turn') && login === null);
  if (lacksLogin && TURN_SECRET === undefined)
    reject(
      'ICE_SERVERS',
      'turn:user:password@turn.example.com:3478, or TURN_SECRET for time-limited credentials',
    );
}

interface Machine {
  readonly rtcPort: number | undefined;
  readonly roles: readonly string[];
}

/**
 * Whether this machine runs the WebRTC process. It needs an origin on the same machine, whose HTTP server does the
 * signalling.
 */
export const runsRtc = ({ rtcPort, roles }: Machine): boolean =>
  rtcPort !== undefined && roles.includes('origin');
