import { z } from 'zod';

/** A STUN or TURN server for browsers. */
export interface IceServer {
  /** URL without credentials, such as `turn:turn.example.com:3478?transport=udp`. */
  readonly url: string;
  /** Credentials; null for a STUN server, and for a TURN server whose credentials are made with `turnSecret`. */
  readonly login: { readonly username: string; readonly credential: string } | null;
}

/** WebRTC settings of this installation. */
export interface RtcSettings {
  /** UDP port; undefined if this machine has no WebRTC. */
  readonly rtcPort: number | undefined;
  /** Public addresses of the port, besides those of this machine's interfaces. */
  readonly rtcPublicAddresses: readonly string[];
  readonly iceServers: readonly IceServer[];
  /** Secret shared with the TURN servers, for time-limited credentials; null if they have fixed ones. */
  readonly turnSecret: string | null;
}

const iceServerFormat =
  /^(?<scheme>stuns?|turns?):(?:(?<username>[^:@\s]+):(?<credential>[^@\s]+)@)?(?<host>[\w.-]+|\[[0-9a-fA-F:]+\])(?<port>:\d{1,5})?(?<query>\?transport=(?:udp|tcp))?$/;

/** Parses an ICE server. Null for an invalid URL, and for a STUN server with credentials. */
function iceServerOf(text: string): IceServer | null {
  const {
    scheme,
    username,
    credential,
    host,
    port = '',
    query = '',
  } = iceServerFormat.exec(text)?.groups ?? {};
  if (scheme === undefined || host === undefined) return null;
  const url = `${scheme}:${host}${port}${query}`;
  if (scheme.startsWith('stun')) return username === undefined && query === '' ? { url, login: null } : null;
  if (username === undefined || credential === undefined) return { url, login: null };
  return {
    url,
    login: { username: decodeURIComponent(username), credential: decodeURIComponent(credential) },
  };
}

const splitList = (value: unknown) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : value;

const iceServerError = {
  error:
    'servers separated by commas, for example stun:stun.example.com:3478,turn:user:password@turn.example.com:3478',
};

/** Environment variables for WebRTC. */
export const rtcEnvironment = {
  RTC_PORT: z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535).optional(),
  RTC_PUBLIC_ADDRESSES: z
    .preprocess(
      splitList,
      z
        .array(z.union([z.ipv4(), z.ipv6()], { error: 'IP addresses separated by commas' }))
        .max(8, { error: 'at most 8 IP addresses' }),
    )
    .default([]),
  ICE_SERVERS: z
    .preprocess(
      splitList,
      z
        .array(z.string().refine((text) => isIceServer(text), iceServerError))
        .max(8, { error: 'at most 8 servers' }),
    )
    .default([]),
  TURN_SECRET: z
    .string()
    .min(8, { error: 'at least 8 characters' })
    .max(512, { error: 'at most 512 characters' })
    .optional(),
};

function isIceServer(text: string): boolean {
  try {
    return iceServerOf(text) !== null;
  } catch {
    // A percent sign that encodes no character makes the text invalid.
    return false;
  }
}

type RtcEnvironment = z.output<z.ZodObject<typeof rtcEnvironment>>;

/** @returns an error message if a TURN server has no credentials */
export function rtcSettingsOf(environment: RtcEnvironment): RtcSettings | string {
  const {
    RTC_PORT: rtcPort,
    RTC_PUBLIC_ADDRESSES: rtcPublicAddresses,
    ICE_SERVERS,
    TURN_SECRET,
  } = environment;
  const iceServers = ICE_SERVERS.map(iceServerOf).filter((server) => server !== null);
  const lacksLogin = iceServers.some(({ url, login }) => url.startsWith('turn') && login === null);
  if (lacksLogin && TURN_SECRET === undefined)
    return 'ICE_SERVERS: expected turn:user:password@turn.example.com:3478, or TURN_SECRET for time-limited credentials';
  return { rtcPort, rtcPublicAddresses, iceServers, turnSecret: TURN_SECRET ?? null };
}

interface MachineRtc extends Pick<RtcSettings, 'rtcPort'> {
  readonly roles: readonly string[];
}

/**
 * Whether this machine runs the WebRTC process. It needs an origin on the same machine, whose HTTP server does the
 * signalling.
 */
export const runsRtc = ({ rtcPort, roles }: MachineRtc): boolean =>
  rtcPort !== undefined && roles.includes('origin');
