import { z } from 'zod';

/** A STUN or TURN server that browsers are told of. */
export interface IceServer {
  /** Without credentials, such as `turn:turn.example.com:3478?transport=udp`. */
  readonly url: string;
  /** Null: it needs none. */
  readonly login: { readonly username: string; readonly credential: string } | null;
}

/** WebRTC of this installation. */
export interface RtcSettings {
  /** UDP; undefined: this machine has no WebRTC. */
  readonly rtcPort: number | undefined;
  /** Addresses where the port is reached, besides those of this machine's interfaces. */
  readonly rtcPublicAddresses: readonly string[];
  readonly iceServers: readonly IceServer[];
}

const iceServerFormat =
  /^(?<scheme>stuns?|turns?):(?:(?<username>[^:@\s]+):(?<credential>[^@\s]+)@)?(?<host>[\w.-]+|\[[0-9a-fA-F:]+\])(?<port>:\d{1,5})?(?<query>\?transport=(?:udp|tcp))?$/;

/** Null for what names no server, for a TURN server without credentials, and for a STUN server with them. */
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
  if (username === undefined || credential === undefined) return null;
  return {
    url,
    login: { username: decodeURIComponent(username), credential: decodeURIComponent(credential) },
  };
}

const listed = (value: unknown) =>
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

/** The settings as the operator gives them. */
export const rtcEnvironment = {
  RTC_PORT: z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535).optional(),
  RTC_PUBLIC_ADDRESSES: z
    .preprocess(
      listed,
      z
        .array(z.union([z.ipv4(), z.ipv6()], { error: 'IP addresses separated by commas' }))
        .max(8, { error: 'at most 8 IP addresses' }),
    )
    .default([]),
  ICE_SERVERS: z
    .preprocess(
      listed,
      z
        .array(z.string().refine((text) => isIceServer(text), iceServerError))
        .max(8, { error: 'at most 8 servers' }),
    )
    .default([]),
};

function isIceServer(text: string): boolean {
  try {
    return iceServerOf(text) !== null;
  } catch {
    // A percent sign that encodes nothing.
    return false;
  }
}

type Given = z.output<z.ZodObject<typeof rtcEnvironment>>;

export function rtcSettingsOf({ RTC_PORT, RTC_PUBLIC_ADDRESSES, ICE_SERVERS }: Given): RtcSettings {
  return {
    rtcPort: RTC_PORT,
    rtcPublicAddresses: RTC_PUBLIC_ADDRESSES,
    iceServers: ICE_SERVERS.map(iceServerOf).filter((server) => server !== null),
  };
}

interface MachineRtc extends Pick<RtcSettings, 'rtcPort'> {
  readonly roles: readonly string[];
}

/** WebRTC is signalled over the origin's HTTP, so the process runs beside an origin. */
export const runsRtc = ({ rtcPort, roles }: MachineRtc): boolean =>
  rtcPort !== undefined && roles.includes('origin');
