import logger from 'node-media-server/src/core/logger.js';
import amf from 'node-media-server/src/protocol/amf.js';
import Rtmp from 'node-media-server/src/protocol/rtmp.js';

// The package's entry point starts a store in ./data, forces debug logging and exits the process on a busy port.
// These modules do none of that: they are the handshake, the chunk reader, the AMF codec and their logger. The
// library's logger prints stream keys to stdout, at a level that can't be configured.
logger.log = () => undefined;

/** Handshake and chunk reassembly of node-media-server 4.4.3, without its sessions and broadcasts. */
export { Rtmp };

/** Decodes an AMF0 command. Malformed bytes throw errors of any type. */
export const decodeCommand = (data: Buffer): Record<string, unknown> => amf.decodeAmf0Cmd(data);

/** Decodes an AMF0 data message; throws like `decodeCommand`. */
export const decodeData = (data: Buffer): Record<string, unknown> => amf.decodeAmf0Data(data);
