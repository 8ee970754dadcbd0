import { describe, expect, test } from 'vitest';
import { maskUrl } from './masked-url';

const file = 'https://files.example/town%20hall.mp4';

describe('maskUrl keeps URLs without secrets', () => {
  test.each([
    file,
    `${file}?id=7&version=2&download=1`,
    `${file}?author=me&monk=1&design=`,
    `${file}?versionId=3sL4kqtJlcpXroDTDmJ&X-Amz-Date=20260101T000000Z&X-Amz-Expires=600`,
    `${file}?url=https%3A%2F%2Fother.example%2Fa%3Fid%3D1`,
    `${file}?dl`,
    `${file}?***`,
    `${file}?token=`,
    `${file}?%zz=%zz`,
    'https://files.example/?a=b?c',
    'rtmp://live.example/app',
    'not a url',
  ])('%s', (url) => expect(maskUrl(url)).toBe(url));
});

describe('maskUrl masks secrets in query parameters', () => {
  test.each([
    ['?id=7&token=s3cret&v=2', '?id=7&token=***&v=2'],
    ['?X-Amz-Credential=s3cret%2Fx&X-Amz-Signature=s3cret&X-Amz-Security-Token=s3cret&partNumber=1', '?X-Amz-Credential=***&X-Amz-Signature=***&X-Amz-Security-Token=***&partNumber=1'],
    ['?AWSAccessKeyId=s3cret&Signature=s3cret&Expires=1', '?AWSAccessKeyId=***&Signature=***&Expires=1'],
    ['?GoogleAccessId=s3cret&Expires=1&Signature=s3cret', '?GoogleAccessId=***&Expires=1&Signature=***'],
    ['?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=s3cret&X-Goog-Signature=s3cret', '?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=***&X-Goog-Signature=***'],
    ['?sv=2024-01-01&sr=b&sp=r&sig=s3cret%3D', '?sv=2024-01-01&sr=b&sp=r&sig=***'],
    ['?Policy=s3cret&Signature=s3cret&Key-Pair-Id=s3cret', '?Policy=***&Signature=***&Key-Pair-Id=***'],
    ['?hdnts=s3cret', '?hdnts=***'],
    ['?md5=s3cret&expires=1', '?md5=***&expires=1'],
    ['?api_key=s3cret&apikey=s3cret&key=s3cret&streamKey=s3cret', '?api_key=***&apikey=***&key=***&streamKey=***'],
    ['?accessToken=s3cret&auth=s3cret&authorization=s3cret&authkey=s3cret', '?accessToken=***&auth=***&authorization=***&authkey=***'],
    ['?password=s3cret&PWD=s3cret&pass=s3cret', '?password=***&PWD=***&pass=***'],
    ['?%74oken=s3cret', '?%74oken=***'],
    ['?auth[s]=s3cret&key[]=s3cret', '?auth[s]=***&key[]=***'],
    ['?a=1;token=s3cret', '?a=1;token=***'],
    ['?x=eyJhbGciOiJIUzI1NiJ9.e30.s3cret', '?x=***'],
    ['?s3cret5f3a9c0e7b1d', '?***'],
    ['?url=https%3A%2F%2Fo.example%2Fa%3Fid%3D1%26token%3Ds3cret', `?url=${encodeURIComponent('https://o.example/a?id=1&token=***')}`],
    ['?id=1#access_token=s3cret', '?id=1#***'],
    ['#s3cret', '#***'],
  ])('%s', (query, maskedQuery) => {
    expect(maskUrl(file + query)).toBe(file + maskedQuery);
    expect(maskUrl(file + maskedQuery)).toBe(file + maskedQuery);
  }); // prettier-ignore

  test('user name and password are masked', () =>
    expect(maskUrl('https://me:s3cret@files.example/a@b?id=1')).toBe('https://***@files.example/a@b?id=1'));
});
