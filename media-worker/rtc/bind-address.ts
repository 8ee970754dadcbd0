const wildcardHosts: readonly string[] = ['0.0.0.0', '::'];

/** The IP address to bind the UDP port to, from the value of HOST; undefined for all interfaces. */
export const bindAddressOf = (host: string): string | undefined =>
  wildcardHosts.includes(host) ? undefined : host;
