/** A request for the metrics of a process, from its connection and headers. */
export interface MetricsRequest {
  /** Whether the bearer token is METRICS_TOKEN; null if METRICS_TOKEN is not set. */
  readonly token: boolean | null;
  /** Whether the peer address is this machine. */
  readonly local: boolean;
  /** Host header; browsers and proxies send the public name of the service. */
  readonly host: string | undefined;
  /** Names of the headers, in lower case. */
  readonly headers: readonly string[];
}

/** Headers that prove a proxy forwards the request, so that the peer address is not the client's. */
const proxyHeaders =
  /^(forwarded|via|x-real-ip|x-forwarded-\w+|x-client-ip|cf-connecting-ip|true-client-ip)$/;
const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** `hidden`: the path responds with 404, because no token is configured. */
export function metricsAccess({
  token,
  local,
  host,
  headers,
}: MetricsRequest): 'allowed' | 'unauthorized' | 'hidden' {
  if (token !== null) return token ? 'allowed' : 'unauthorized';
  const direct = local && localHost.test(host ?? '') && !headers.some((name) => proxyHeaders.test(name));
  return direct ? 'allowed' : 'hidden';
}
