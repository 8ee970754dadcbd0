import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyForAiButton, EntryHeader } from '../operation-view';
import { Code, TextLink } from '../prose';
import { guideMarkdown } from './guide-markdown';
import type { TaskGuide } from './guide-steps';

/** A guide to a first task, step by step. */
export function TaskGuideView({ guide }: { guide: TaskGuide }) {
  const { title, summary, requiredPrograms, steps } = guide;
  return (
    <article className="max-w-3xl">
      <EntryHeader title={title}>
        <div className="flex flex-wrap items-start justify-between gap-3">
          <p className="text-ink-2 max-w-prose">{summary}</p>
          <CopyForAiButton markdown={guideMarkdown(guide)} />
        </div>
        <p className="text-ink-2 max-w-prose">
          Needs curl, Node{requiredPrograms.map((program) => `, ${program}`).join('')}, and{' '}
          <TextLink href="/developers/keys">an API key</TextLink> in the variable{' '}
          <Code>HEADWATER_API_KEY</Code>. Run the steps in an empty folder.
        </p>
      </EntryHeader>
      <ol className="grid grid-cols-1 gap-8">
        {steps.map(({ text, code, fileName, keepsRunning: isRunning }, index) => (
          <li key={text} className="grid min-w-0 grid-cols-1 gap-3">
            <p className="flex gap-3">
              <span aria-hidden="true" className="text-ink-3 w-5 shrink-0 text-right tabular-nums">
                {index + 1}
              </span>
              <span>
                {text}
                {isRunning && ' Leave it running and continue in another terminal.'}
              </span>
            </p>
            <div className="grid min-w-0 grid-cols-1 gap-1.5 pl-8 max-sm:pl-0">
              {fileName !== undefined && <p className="text-ink-3 font-mono text-sm">{fileName}</p>}
              <CodeBlock label={fileName ?? `Command of step ${index + 1}`} code={code} />
            </div>
          </li>
        ))}
      </ol>
    </article>
  );
}
