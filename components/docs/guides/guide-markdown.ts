import type { GuideStep, TaskGuide } from './guide-steps';

/** A guide as Markdown that can be read on its own. */
export function guideMarkdown({ title, summary, requiredPrograms, steps }: TaskGuide): string {
  const tools = ['curl', 'Node', ...requiredPrograms, 'an API key in the variable HEADWATER_API_KEY'].join(
    ', ',
  );
  return [`# ${title}`, summary, `Needs ${tools}.`, ...steps.map(stepMarkdown)].join('\n\n');
}

function stepMarkdown({ text, code, fileName, keepsRunning }: GuideStep, index: number): string {
  const lines = [
    text,
    ...(keepsRunning ? ['Leave it running and continue in another terminal.'] : []),
    ...(fileName === undefined ? [] : [`File ${fileName}:`]),
  ];
  const language = fileName === undefined ? 'sh' : fileName.endsWith('.html') ? 'html' : 'js';
  return [`${index + 1}. ${lines.join(' ')}`, '', '```' + language, code, '```'].join('\n');
}
