import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy, DockerfileParser, JSONInstruction, type Instruction } from 'dockerfile-ast';
import { root } from './step';

const dockerfilePath = 'deploy/Dockerfile';

/** An instruction of a Dockerfile, for example RUN. */
export interface DockerInstruction {
  readonly keyword: string;
  /** Words of the instruction, from its JSON form or its text, with build variables replaced. */
  readonly words: readonly string[];
  /** Text after the keyword and its flags. */
  readonly text: string;
  /** Source stage of a COPY. */
  readonly from: string | null;
}

export interface Stage {
  readonly image: string;
  readonly name: string | null;
  readonly instructions: readonly DockerInstruction[];
}

/** The stages of deploy/Dockerfile. Supports the instructions of this file only. */
export function readDockerfile(): Stage[] {
  const dockerfile = DockerfileParser.parse(readFileSync(join(root, dockerfilePath), 'utf8'));
  const variables = new Map<string, string>();
  const stages: (Stage & { instructions: DockerInstruction[] })[] = [];
  const expand = (text: string) =>
    text.replaceAll(/\$\{(\w+)\}/g, (match, name: string) => variables.get(name) ?? match);
  for (const instruction of dockerfile.getInstructions()) {
    const keyword = instruction.getKeyword();
    const parsedInstruction = {
      keyword,
      words: wordsOf(instruction).map(expand),
      text: textOf(instruction),
      from: fromOf(instruction),
    };
    if (keyword === 'ARG') {
      const [name = '', value = ''] = parsedInstruction.words[0]?.split('=') ?? [];
      variables.set(name, value);
    } else if (keyword === 'FROM') {
      stages.push({
        image: parsedInstruction.words[0] ?? '',
        name: parsedInstruction.words[2] ?? null,
        instructions: [],
      });
    } else stages.at(-1)?.instructions.push(parsedInstruction);
  }
  return stages;
}

function wordsOf(instruction: Instruction): string[] {
  const json = instruction instanceof JSONInstruction ? instruction.getJSONStrings() : [];
  if (json.length > 0) return json.map((value) => value.getJSONValue());
  return instruction.getExpandedArguments().map((argument) => argument.getValue());
}

const fromOf = (instruction: Instruction): string | null =>
  instruction instanceof Copy ? (instruction.getFromFlag()?.getValue() ?? null) : null;
const textOf = (instruction: Instruction): string => instruction.getRawArgumentsContent() ?? '';

/** Entries of .dockerignore, which are paths: scripts/deploy.test.ts allows no patterns. */
export function ignoredPaths(): string[] {
  return readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}
