// A recogniser that follows `script.json` in the folder of its model: its answers, and how it ends.
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const order = JSON.parse(process.argv[2] ?? '');
const { answers, end } = JSON.parse(readFileSync(join(order.model, 'script.json'), 'utf8'));
for (const answer of answers) writeSync(3, `${JSON.stringify(answer)}\n`);
if (end === 'done') writeSync(3, `${JSON.stringify({ type: 'done', at: order.until })}\n`);
else if (end === 'hang') setInterval(() => undefined, 60_000);
else process.abort();
