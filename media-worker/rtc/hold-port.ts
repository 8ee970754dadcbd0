import { IceUdpMuxListener } from 'node-datachannel';
import { bindAddressOf } from './bind-address';

/**
 * Keeps the shared UDP port of all connections open. Otherwise the library opens the port for the first connection
 * and closes it after the last one. A connection that begins at that moment cannot open the port, and the library
 * then ends the process.
 * @returns a function that releases the port
 */
export function holdRtcPort(port: number, host: string): () => void {
  const listener = new IceUdpMuxListener(port, bindAddressOf(host));
  return () => listener.stop();
}
