import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A model of a few hundred bytes with the interface of real ones, to test the library unchanged: loud audio is
 * speech, and contains one word.
 */

type Field = readonly [number: number, value: number | string | Buffer];

/** A Protocol Buffers message: numbers as varints, all other values with their length. */
const message = (...fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8), varint(value)];
      const bytes = Buffer.from(value);
      return [varint(number * 8 + 2), varint(bytes.length), bytes];
    }),
  );

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let remaining = value; ; remaining = Math.floor(remaining / 128)) {
    if (remaining < 128) return Buffer.from([...bytes, remaining]);
    bytes.push((remaining % 128) + 128);
  }
}

// Messages of ONNX (onnx.proto3): types 1 and 7 are float and int64.
const types = { float: 1, int64: 7 } as const;
type Type = keyof typeof types;

const value = (name: string, type: Type, ...shape: readonly (number | string)[]): Buffer => {
  const dims = shape.map((dimension): Field => [
    1,
    message(typeof dimension === 'number' ? [1, dimension] : [2, dimension]),
  ]);
  return message([1, name], [2, message([1, message([1, types[type]], [2, message(...dims)])])]);
};

const tensor = (name: string, type: Type, shape: readonly number[], numbers: readonly number[]): Buffer => {
  const data =
    type === 'float' ? Buffer.from(Float32Array.from(numbers).buffer) : Buffer.from(BigInt64Array.from(numbers.map(BigInt)).buffer); // prettier-ignore
  return message(...shape.map((dimension): Field => [1, dimension]), [2, types[type]], [8, name], [9, data]);
};

/** An attribute of a node: type 2 is one integer, type 7 several. */
const attribute = (name: string, value: number | readonly number[]): Buffer =>
  typeof value === 'number'
    ? message([1, name], [3, value], [20, 2])
    : message([1, name], ...value.map((element): Field => [8, element]), [20, 7]);

function node(
  op: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number | readonly number[]>> = {},
): Buffer {
  return message(
    ...inputs.map((input): Field => [1, input]),
    [2, output],
    [4, op],
    ...Object.entries(attributes).map(([name, value]): Field => [5, attribute(name, value)]),
  );
}

interface Graph {
  readonly nodes: readonly Buffer[];
  readonly inputs: readonly Buffer[];
  readonly outputs: readonly Buffer[];
  readonly constants?: readonly Buffer[];
  readonly metadata?: Readonly<Record<string, number | string>>;
}

function model({ nodes, inputs, outputs, constants = [], metadata = {} }: Graph): Buffer {
  const graph = message(
    ...nodes.map((element): Field => [1, element]),
    [2, 'tiny'],
    ...constants.map((element): Field => [5, element]),
    ...inputs.map((element): Field => [11, element]),
    ...outputs.map((element): Field => [12, element]),
  );
  const metadataFields = Object.entries(metadata).map(([key, text]): Field => [
    14,
    message([1, key], [2, String(text)]),
  ]);
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])], ...metadataFields);
}

/** Values per frame of the encoder. */
const WIDTH = 4;
const tokens = ['<blk>', '▁TOWN', '▁HA', 'LL', '<unk>'];

/** The encoder: mean of every fourth frame of features, which is higher for louder audio. */
const encoder = (): Buffer =>
  model({
    nodes: [
      node('Slice', ['x', 'first', 'last', 'time', 'step'], 'kept'),
      node('ReduceMean', ['kept'], 'mean', { axes: [2], keepdims: 1 }),
      node('Concat', ['mean', 'mean', 'mean', 'mean'], 'encoder_out', { axis: 2 }),
      node('Add', ['x_lens', 'three'], 'rounded'),
      node('Div', ['rounded', 'step'], 'encoder_out_lens'),
    ],
    inputs: [value('x', 'float', 'N', 'T', 80), value('x_lens', 'int64', 'N')],
    outputs: [value('encoder_out', 'float', 'N', 'F', WIDTH), value('encoder_out_lens', 'int64', 'N')],
    constants: [
      tensor('first', 'int64', [1], [0]),
      tensor('last', 'int64', [1], [2 ** 31 - 1]),
      tensor('time', 'int64', [1], [1]),
      tensor('step', 'int64', [1], [4]),
      tensor('three', 'int64', [1], [3]),
    ],
    metadata: { model_type: 'zipformer2', comment: 'tiny' },
  });

/** The decoder: the last tokens as numbers. */
const decoder = (): Buffer =>
  model({
    nodes: [
      node('Cast', ['y'], 'numbers', { to: types.float }),
      node('ReduceMean', ['numbers'], 'mean', { axes: [1], keepdims: 1 }),
      node('Concat', ['mean', 'mean', 'mean', 'mean'], 'decoder_out', { axis: 1 }),
    ],
    inputs: [value('y', 'int64', 'N', 2)],
    outputs: [value('decoder_out', 'float', 'N', WIDTH)],
    metadata: { context_size: 2, vocab_size: tokens.length },
  });

/** The joiner: the word at loud audio without an earlier word, otherwise no token. */
const joiner = (): Buffer =>
  model({
    nodes: [
      node('MatMul', ['encoder_out', 'loudness'], 'heard'),
      node('MatMul', ['decoder_out', 'repeated'], 'before'),
      node('Add', ['heard', 'before'], 'both'),
      node('Add', ['both', 'bias'], 'logit'),
    ],
    inputs: [value('encoder_out', 'float', 'N', WIDTH), value('decoder_out', 'float', 'N', WIDTH)],
    outputs: [value('logit', 'float', 'N', tokens.length)],
    constants: [
      tensor('loudness', 'float', [WIDTH, 5], [0, 0.25, 0.25, 0.25, 0.25, ...Array<number>(15).fill(0)]),
      tensor('repeated', 'float', [WIDTH, 5], [2, ...Array<number>(19).fill(0)]),
      tensor('bias', 'float', [5], [-1, 0.1, 0, 0, 0]),
    ],
    metadata: { joiner_dim: WIDTH },
  });

/** The detector, with the interface of silero VAD 5: speech where samples average 0.03 or more. */
const detector = (): Buffer =>
  model({
    nodes: [
      node('Abs', ['input'], 'loud'),
      node('ReduceMean', ['loud'], 'mean', { axes: [1], keepdims: 1 }),
      node('Sub', ['mean', 'threshold'], 'above'),
      node('Mul', ['above', 'steep'], 'steeper'),
      node('Sigmoid', ['steeper'], 'output'),
      node('Identity', ['state'], 'stateN'),
    ],
    inputs: [value('input', 'float', 'N', 'S'), value('state', 'float', 2, 'N', 128), value('sr', 'int64')],
    outputs: [value('output', 'float', 'N', 1), value('stateN', 'float', 2, 'N', 128)],
    constants: [tensor('threshold', 'float', [1], [0.03]), tensor('steep', 'float', [1], [1_000])],
  });

export function writeTinyModel(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = {
    'encoder-epoch-1-avg-1.onnx': encoder(),
    'decoder-epoch-1-avg-1.onnx': decoder(),
    'joiner-epoch-1-avg-1.onnx': joiner(),
    'silero_vad.onnx': detector(),
    'tokens.txt': tokens.map((token, index) => `${token} ${index}\n`).join(''),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
}
