/** A value for `encodeAmf0`, which does not use the library, so that tests do not share its errors. */
export type AmfValue = number | boolean | string | null | { readonly [name: string]: AmfValue };

export function encodeAmf0(...values: AmfValue[]): Buffer {
  return Buffer.concat(values.map(encodeValue));
}

/** AMF0 markers: 0 number, 1 boolean, 2 string, 3 object, 5 null, 9 end of an object. */
function encodeValue(value: AmfValue): Buffer {
  if (value === null) return Buffer.from([5]);
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value === 'boolean') return Buffer.from([1, value ? 1 : 0]);
  if (typeof value === 'string') return Buffer.concat([Buffer.from([2]), encodeString(value)]);
  const members = Object.entries(value).flatMap(([name, member]) => [
    encodeString(name),
    encodeValue(member),
  ]);
  return Buffer.concat([Buffer.from([3]), ...members, Buffer.from([0, 0, 9])]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

function encodeString(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
