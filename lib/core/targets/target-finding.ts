import type { TargetDestination } from './target-url';

/**
 * Results of connecting to a target without sending media. `accepted`: the target accepts the stream. `no_answer`: nothing
 * responds at this host and port in time. `handshake_failed`: the server does not speak the protocol of the URL.
 * `name_not_found`: the host name is unknown, or belongs to the network of the operator, which must look the same.
 * `address_not_public`: the URL contains an internal IP address. `udp_blocked`: no address in a WHIP answer can be reached.
 * `webrtc_off`: this server sends nothing over WebRTC. `codec_refused`: a WHIP endpoint does not accept H.264 with Opus.
 * `own_ingest`: the target is the ingest of this service. `token_rejected`, `endpoint_missing`, `endpoint_failed`: the status
 * that a WHIP endpoint returned.
 */
export const targetTestOutcomes = [
  'accepted',
  'name_not_found',
  'address_not_public',
  'connection_refused',
  'no_answer',
  'tls_failed',
  'handshake_failed',
  'publish_rejected',
  'own_ingest',
  'url_invalid',
  'udp_blocked',
  'webrtc_off',
  'codec_refused',
  'token_rejected',
  'endpoint_missing',
  'endpoint_failed',
] as const;

/**
 * Failures while media is sent to a target. `no_media`: the target accepts the connection but takes no media.
 * `media_stopped`: it stopped taking media. `closed`: the target closed the connection. `lost`: the connection was lost.
 * `interrupted`: sending was interrupted on this machine. `b_frames`: the encoder sends B-frames, which WebRTC can't carry.
 */
export const pushOutcomes = [
  'no_media',
  'media_stopped',
  'closed',
  'lost',
  'interrupted',
  'b_frames',
] as const;

export interface TargetFinding {
  readonly outcome: (typeof targetTestOutcomes)[number] | (typeof pushOutcomes)[number];
  /** The error text of the target, or the reason of a failure, without secrets. */
  readonly detail?: string;
}

export interface TargetTestFinding extends TargetFinding {
  readonly outcome: (typeof targetTestOutcomes)[number];
}

/** The message about a test of a target or a failure while a stream is sent to it: what happened, and what to do. */
export function formatTargetMessage(
  { outcome, detail }: TargetFinding,
  destination: Pick<TargetDestination, 'kind' | 'host' | 'port'>,
): string {
  const { kind, host, port } = destination;
  const status = detail ?? 'no status';
  switch (outcome) {
    case 'accepted':
      return kind !== 'rtmp'
        ? `${host} accepted the connection.`
        : `${host} accepted the stream key. Some services check it again when video arrives.`;
    case 'name_not_found':
      return `${host} has no public address. Check the host name in the URL, or ask the server’s operator to allow its address.`;
    case 'address_not_public':
      return `${host} is not a public address, so nothing is sent there. Use a public address, or ask the server’s operator to allow this one.`;
    case 'connection_refused':
      return `${host} refused the connection on port ${port}. Check the port and that the service is running.`;
    case 'no_answer':
      return `${host} did not answer on port ${port} in time. Check the host, the port and the firewall of the service.`;
    case 'tls_failed':
      if (kind === 'whip')
        return `${host} did not accept a TLS connection on port ${port}${reasonSuffix(detail)}. Check the port and the certificate of the service.`;
      return `${host} did not accept a TLS connection on port ${port}${reasonSuffix(detail)}. Check the port, or use rtmp:// if the service has no TLS.`;
    case 'handshake_failed':
      if (kind === 'whip')
        return `${host} answered on port ${port}, but not as a WHIP endpoint. Check the URL.`;
      return `${host} answered on port ${port}, but not as an RTMP server. Check the port, and whether the URL should start with rtmps://.`;
    case 'publish_rejected':
      return `${host} rejected the stream${reasonSuffix(detail)}. Copy the stream key again, and check that no other encoder uses it.`;
    case 'own_ingest':
      return `${host} is the ingest of this service, so the stream would loop. Use the address of another service.`;
    case 'no_media':
      return `${host} accepted the connection but takes no video. Check the stream key, and that the event there has started.`;
    case 'media_stopped':
      return `${host} stopped taking video. Check its page for the state of the stream; it may be overloaded or have ended the event.`;
    case 'closed':
      return `${host} closed the connection. Check whether the event there has ended, and that no other encoder uses the stream key.`;
    case 'lost':
      return `The connection to ${host} was lost${reasonSuffix(detail)}. Check the status of the service and of the network.`;
    case 'interrupted':
      return `Sending to ${host} was interrupted on this server. It restarts automatically.`;
    case 'udp_blocked':
      return `${host} accepted the offer, but no address in its answer can be reached over UDP. Check the firewalls on both sides.`;
    case 'webrtc_off':
      return 'This server sends nothing over WebRTC, because RTC_PORT is not set. Ask its operator to set it.';
    case 'b_frames':
      return 'WHIP targets accept no B-frames. Set B-frames to 0 in the encoder, or add a profile to the stream.';
    case 'codec_refused':
      return `${host} does not accept H.264 with Opus over WebRTC. Use another target.`;
    case 'token_rejected':
      return `${host} rejected the bearer token: ${status}. Copy the token again, and put it after # in the URL.`;
    case 'endpoint_missing':
      return `${host} has no stream at this URL: ${status}. Copy the URL again, and check that the event there has not ended.`;
    case 'endpoint_failed':
      return `${host} can’t accept the stream now: ${status}. It is tried again automatically.`;
    case 'url_invalid':
      return `The URL can’t be used${reasonSuffix(detail)}. Replace it.`;
  }
}

const reasonSuffix = (detail: string | undefined): string =>
  detail === undefined || detail === '' ? '' : `: ${detail.replace(/\.$/, '')}`;
