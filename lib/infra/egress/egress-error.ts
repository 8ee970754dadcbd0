import { errors } from 'undici';

type EgressFailure =
  /**
   * The connection was denied by the egress policy, failed or timed out, or the name is unknown. Users cannot tell these
   * cases apart.
   */
  | 'unreachable'
  | 'tls'
  | 'timed_out'
  /** The signal of the caller was aborted. */
  | 'aborted'
  | 'interrupted'
  | 'malformed'
  | 'too_large'
  | 'redirect'
  /** The URL, method or headers of the request are invalid. */
  | 'bad_request';

/**
 * Failure of an outbound call. `message` may be shown to users: it contains no address, no header and no information about
 * the operator's network. `cause` is for the log.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly failure: EgressFailure;

  constructor(failure: EgressFailure, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.failure = failure;
  }
}

/** The host of a call is denied, or has no address. It is the cause of an EgressError `unreachable`. */
export class EgressDeniedError extends Error {
  override readonly name = 'EgressDeniedError';
}

/** The error of a call without a connection. The same message for every cause reveals nothing about the operator's network. */
export const unreachableError = (cause?: unknown) =>
  new EgressError(
    'unreachable',
    'the connection failed: no public address of this host accepted it',
    cause === undefined ? {} : { cause },
  );

/** Error codes of a failed connection or DNS lookup. */
const connectCodes = new Set([
  'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL',
  'ENODATA', 'ETIMEDOUT', 'EACCES', 'EPERM', 'EINVAL',
]); // prettier-ignore
const tlsCodePattern = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH)/;

/** Error codes of a failed DNS lookup. */
const lookupCodes = new Set(['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'EAI_FAIL']);

/**
 * The reason why no connection was made, for a team that tests its target. `denied`: the policy does not allow the host,
 * or its name is unknown. Both are one result, so that it does not reveal names of the operator's network.
 */
export function connectFailureOf(error: EgressError): 'denied' | 'connection_refused' | 'silent' {
  const { cause } = error;
  if (cause instanceof EgressDeniedError || lookupCodes.has(codeOf(cause))) return 'denied';
  return codeOf(cause) === 'ECONNREFUSED' ? 'connection_refused' : 'silent';
}

/** Converts an error of the HTTP client to an EgressError with a public message. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const [failure, message] = classifyError(error);
  return failure === 'unreachable'
    ? unreachableError(error)
    : new EgressError(failure, message, { cause: error });
}

function classifyError(error: unknown): readonly [EgressFailure, string] {
  const code = codeOf(error);
  if (
    error instanceof EgressDeniedError ||
    error instanceof errors.ConnectTimeoutError ||
    connectCodes.has(code)
  )
    return ['unreachable', ''];
  if (tlsCodePattern.test(code)) return ['tls', tlsMessage(code)];
  if (error instanceof errors.HeadersTimeoutError) return ['timed_out', 'the response did not start in time'];
  if (error instanceof errors.BodyTimeoutError) return ['timed_out', 'the response stalled'];
  if (error instanceof errors.HeadersOverflowError) return ['too_large', 'the response headers are too long'];
  // The parser reports a truncated chunked response as invalid, with `Invalid EOF state` in the message and no code.
  if (error instanceof errors.HTTPParserError && !error.message.includes('Invalid EOF state'))
    return ['malformed', 'the response is not valid HTTP'];
  if (
    error instanceof errors.InvalidArgumentError ||
    error instanceof errors.RequestContentLengthMismatchError
  )
    return ['bad_request', 'the request cannot be sent: its method, headers or length are not valid'];
  return ['interrupted', 'the connection was closed before the response was complete'];
}

const selfSigned = 'its certificate is self-signed; use one from a public certificate authority';
/** Explanations of the most common TLS errors, by code. */
const tlsReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate does not lead to a known authority; send the intermediate certificates too',
};

/** Message for a TLS error that the owner of the receiver must fix, with its code. */
function tlsMessage(code: string): string {
  const reason = tlsReasons[code] ?? 'its certificate or the handshake was not accepted';
  return `no TLS connection to the receiver: ${reason} (${code})`;
}

function codeOf(error: unknown): string {
  // If several addresses were tried, the error of the first is used.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
