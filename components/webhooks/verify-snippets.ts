/** How a receiver checks a delivery with the Standard Webhooks libraries; docs/webhooks.md has more languages. */
export const verifySnippets = [
  {
    value: 'node',
    label: 'Node',
    code: `import { Webhook } from 'standardwebhooks'; // npm install standardwebhooks

const webhook = new Webhook(process.env.HEADWATER_WEBHOOK_SECRET);

// body: the raw request body, before any parsing
export function readEvent(body, headers) {
  return webhook.verify(body, headers); // throws if the signature is invalid
}`,
  },
  {
    value: 'python',
    label: 'Python',
    code: `from standardwebhooks.webhooks import Webhook  # pip install standardwebhooks
import os

webhook = Webhook(os.environ["HEADWATER_WEBHOOK_SECRET"])

# body: the raw request body, before any parsing
def read_event(body, headers):
    return webhook.verify(body, headers)  # raises if the signature is invalid`,
  },
] as const;
