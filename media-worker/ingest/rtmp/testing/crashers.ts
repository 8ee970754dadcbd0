import { encodeAmf0 } from './amf0';
import { type Message, toChunks } from './chunks';
import { command, connectCommand, HANDSHAKE, publishCommand } from './rtmp-client';

/** A name and bytes: everything that a client sends, or the body of one message. */
export type Attack = readonly [name: string, bytes: Buffer];

const COMMAND = 20;
const VIDEO = 9;

const toBytes = (...list: Message[]): Buffer => Buffer.concat(list.map((message) => toChunks(message)));
const afterHandshake = (...list: Message[]): Buffer => Buffer.concat([HANDSHAKE, toBytes(...list)]);
const afterConnect = (...list: Message[]): Buffer => afterHandshake(connectCommand(), ...list);
const invoke = (...parts: Buffer[]): Message => ({ type: COMMAND, payload: Buffer.concat(parts) });

/** Objects nested as deeply as the bytes allow. */
const createDeepObject = (depth: number): Buffer =>
  Buffer.concat([Buffer.from([3]), ...Array<Buffer>(depth).fill(Buffer.from([0, 1, 0x61, 3]))]);

/** A strict array that announces 2^32-1 values. */
const hugeArray = Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff]);

/** Messages that ended the process of node-media-server 4.4.3, without a stream key. */
export const crashers: readonly Attack[] = [
  [
    'zero-length video message',
    Buffer.concat([afterConnect({ type: VIDEO, payload: Buffer.alloc(0) }), Buffer.from([3])]),
  ],
  ['connect without tcUrl', afterHandshake(command('connect', 1, { app: 'live' }))],
  [
    'connect with a tcUrl that is no URL',
    afterHandshake(command('connect', 1, { app: 'live', tcUrl: '::' })),
  ],
  ['connect with a null object', afterHandshake(command('connect', 1, null))],
  ['publish without a name', afterConnect(command('publish', 3, null))],
  ['publish with a null name', afterConnect(command('publish', 3, null, null))],
  ['unknown AMF marker', afterHandshake(invoke(encodeAmf0('connect', 1), Buffer.from([0x0d])))],
  ['truncated AMF number', afterHandshake(invoke(encodeAmf0('connect'), Buffer.from([0, 1, 2])))],
  ['empty command', Buffer.concat([afterHandshake(invoke()), Buffer.from([3])])],
  ['20,000 nested objects', afterHandshake(invoke(encodeAmf0('connect', 1), createDeepObject(20_000)))],
  [
    'as many nested objects as a command may hold',
    afterHandshake(invoke(encodeAmf0('connect', 1), createDeepObject(15_000))),
  ],
  ['strict array of 2^32-1', afterHandshake(invoke(encodeAmf0('connect', 1), hugeArray))],
  ['the query given twice', afterConnect(publishCommand('key?sign=a&sign=b'))],
  ['a command named after an object method', afterHandshake(invoke(encodeAmf0('constructor', 1, null)))],
];

/** Input of port scanners, which every open port receives. */
export const scannerInputs: readonly Attack[] = [
  ['nothing', Buffer.alloc(0)],
  ['TLS hello', Buffer.concat([Buffer.from('16030100f8010000f40303', 'hex'), Buffer.alloc(241, 7)])],
  ['HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: example.com\r\n\r\n')],
  ['another RTMP version', Buffer.concat([Buffer.from([6]), Buffer.alloc(3072)])],
];

/** Bodies that the handler of every message type must survive. */
export const bodies: readonly Attack[] = [
  ['empty', Buffer.alloc(0)],
  ['one byte', Buffer.from([0])],
  ['truncated AMF', Buffer.concat([encodeAmf0('connect'), Buffer.from([0, 0x40])])],
  ['deep nesting', Buffer.concat([encodeAmf0('connect', 1), createDeepObject(2_000)])],
  ['huge strict array', Buffer.concat([encodeAmf0('connect', 1), hugeArray, Buffer.alloc(200, 5)])],
];
