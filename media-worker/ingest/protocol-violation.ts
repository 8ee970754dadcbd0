/** The client broke the protocol or a limit: its connection is destroyed. The message never carries client text. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}
