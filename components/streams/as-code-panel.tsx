import { CodeBlock } from '@/components/ui/code-block';
import { Panel } from '@/components/ui/panel';
import { Tabs } from '@/components/ui/tabs';
import { readStreamCurl, readStreamNode } from './encoder-commands';

interface AsCodePanelProps {
  baseUrl: string;
  id: string;
  /** The stream as the API gives it, without its key. */
  json: string;
}

export function AsCodePanel({ baseUrl, id, json }: AsCodePanelProps) {
  return (
    <Panel title="As code" description="The same stream through the API.">
      <Tabs
        label="Language"
        tabs={[
          {
            value: 'curl',
            label: 'curl',
            content: <CodeBlock label="curl command" code={readStreamCurl(baseUrl, id)} />,
          },
          {
            value: 'node',
            label: 'Node',
            content: <CodeBlock label="Node code" code={readStreamNode(baseUrl, id)} />,
          },
          {
            value: 'json',
            label: 'JSON',
            content: <CodeBlock label="JSON" code={json} className="[&_pre]:max-h-80" />,
          },
        ]}
      />
    </Panel>
  );
}
