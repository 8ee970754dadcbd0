import { IceUdpMuxListener } from 'node-datachannel';
import { bindAddressOf } from './bind-address';

/**
 * Keeps the UDP port that all connections share open. Otherwise the library opens the port for the first connection
 * and closes it after the last one. A connection that starts during the close cannot open the port, and the library
 * then ends the process.
 * @returns a function that releases the port
 */
export function holdRtcPort(port: number, host: string): () => void {
  const listener = new IceUdpMuxListener(port, bindAddressOf(host));
  return () => listener.stop();
}
