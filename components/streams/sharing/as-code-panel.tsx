import { useTranslations } from 'use-intl';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { Panel } from '@/components/ui/panel';
import { Tabs } from '@/components/ui/tabs';

interface AsCodePanelProps {
  /** Name of the object, such as "stream". */
  subject: string;
  curl: string;
  node: string;
  /** API response without secrets. */
  json: string;
}

/** Code that reads an object through the API, and the JSON of the response. */
export function AsCodePanel({ subject, curl, node, json }: AsCodePanelProps) {
  const t = useTranslations('streams.asCodePanel');
  return (
    <Panel title={t('code')} description={t('throughTheApi', { what: subject })}>
      <Tabs
        label={t('language')}
        tabs={[
          {
            value: 'curl',
            label: 'curl',
            content: <CodeBlock label={t('curlCommand')} code={curl} />,
          },
          {
            value: 'node',
            label: 'Node',
            content: <CodeBlock label={t('nodeCode')} code={node} />,
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
