'use client';

import { isSampleLanguage, sampleLanguages, createSample } from '@/components/docs/samples/samples';
import { createSampleRequest, type Call, type RequestInput } from '@/components/docs/samples/sample-request';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { mask } from '@/components/ui/copy/secret-field';
import { Tabs } from '@/components/ui/tabs';
import { useReader } from './reader';

/** The request in each language. The key is masked on the screen but included in the copied text. */
export function CodeSamples({ call, values }: { call: Call; values: RequestInput }) {
  const { baseUrl, key, language, setLanguage } = useReader();
  const request = createSampleRequest(call, values, { baseUrl, key });
  const maskedRequest = createSampleRequest(call, values, { baseUrl, key: mask(key) });
  return (
    <Tabs
      label="Language"
      value={language}
      onChange={(value) => {
        if (isSampleLanguage(value)) setLanguage(value);
      }}
      tabs={sampleLanguages.map(({ value, label }) => ({
        value,
        label,
        content: (
          <CodeBlock
            label={`${label} sample`}
            code={createSample(value, request)}
            maskedCode={createSample(value, maskedRequest)}
            className="max-h-[30rem] overflow-y-auto"
          />
        ),
      }))}
    />
  );
}
