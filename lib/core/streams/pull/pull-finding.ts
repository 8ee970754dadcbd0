/**
 * Why an attempt to pull a stream ended. `no_answer`: the source does not respond in time. `rejected`: it requires other
 * credentials. `redirected`: it refers to another server. `own_ingest`: the URL is the ingest of this service. `ended`: the
 * source ended the stream. `publish_refused`: this service did not accept the media.
 */
export interface PullFinding {
  readonly outcome:
    | 'name_not_found'
    | 'address_not_public'
    | 'connection_refused'
    | 'no_answer'
    | 'tls_failed'
    | 'own_ingest'
    | 'rejected'
    | 'not_found'
    | 'redirected'
    | 'no_media'
    | 'not_readable'
    | 'media_stopped'
    | 'ended'
    | 'lost'
    | 'publish_refused'
    | 'interrupted';
  /** The error text of the source, or the reason of a failure, without secrets. */
  readonly detail?: string;
}

/** The message about an attempt to pull: its result, and what to do. */
export function formatPullMessage(
  { outcome, detail }: PullFinding,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  switch (outcome) {
    case 'name_not_found':
      return `Pull: ${host} has no public address. Check the host name in the URL, or ask the server’s operator to allow its address.`;
    case 'address_not_public':
      return `Pull: ${host} is not a public address, so nothing is pulled from there. Use a public address, or ask the server’s operator to allow this one.`;
    case 'connection_refused':
      return `Pull: ${host} refused the connection on port ${port}. Check the port and that the source is running.`;
    case 'no_answer':
      return `Pull: ${host} did not answer on port ${port} in time. Check the host, the port and the firewall of the source.`;
    case 'tls_failed':
      return `Pull: ${host} did not accept a TLS connection on port ${port}. Check the port and the certificate of the source.`;
    case 'own_ingest':
      return `Pull: ${host} is the ingest of this service, which offers nothing to pull. Use the playback address of a stream.`;
    case 'rejected':
      return `Pull: ${host} rejected the request${detailSuffix(detail)}. Check the key, the user name and the password in the URL, and the headers.`;
    case 'not_found':
      return `Pull: ${host} has nothing at this address. Check the path of the URL, and that the source is live.`;
    case 'redirected':
      return `Pull: ${host} refers to another server. Use the address of that server.`;
    case 'no_media':
      return `Pull: ${host} answered on port ${port}, but sends no media. Check that the source is live.`;
    case 'not_readable':
      return `Pull: the media from ${host} cannot be read${detailSuffix(detail)}. Check that it is live video in H.264 or HEVC.`;
    case 'media_stopped':
      return `Pull: ${host} stopped sending media. Check the source.`;
    case 'ended':
      return `Pull: ${host} ended the stream. It is pulled again when the source is back.`;
    case 'lost':
      return `Pull: the connection to ${host} was lost. It is pulled again when the source is back.`;
    case 'publish_refused':
      return `Pull: media of ${host} was not accepted${detailSuffix(detail)}.`;
    case 'interrupted':
      return `Pull: pulling from ${host} was interrupted on this server. It restarts automatically.`;
  }
}

/** The message about a pull that ended because no media arrived for a day. */
export const pullGivenUpMessage =
  'Pull: stopped, because no media arrived for 24 hours. Start it again when the source is live.';

const detailSuffix = (detail: string | undefined): string =>
  detail === undefined || detail === '' ? '' : `: ${detail.replace(/\.$/, '')}`;
