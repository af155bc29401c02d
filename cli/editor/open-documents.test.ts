import { expect } from 'chai';
import { OpenDocuments, pathOf, TEXT_BYTES_MAX, uriOf } from './open-documents.ts';

const URI = 'file:///nowhere/main.clj';

function opened(text: string, uri = URI): { readonly documents: OpenDocuments; readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const documents = new OpenDocuments({ texts });
  documents.open({ uri, languageId: 'svc-lisp', version: 1, text });
  return { documents, texts };
}

describe('open documents', () => {
  it('are what was typed, change by change', () => {
    const { documents, texts } = opened('a😀b\r\nc');
    documents.change(URI, 2, [
      { range: { start: { line: 0, character: 1 }, end: { line: 0, character: 3 } }, text: 'é' },
      { range: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 } }, text: '\nd' },
    ]);
    expect(texts.get('/nowhere/main.clj')).to.equal('aéb\r\nc\nd');
    expect(documents.get(URI)).to.include({ version: 2, isComponent: true });
    documents.change(URI, 3, [{ text: 'whole' }]);
    expect(documents.get(URI)?.lines?.text).to.equal('whole');
  });

  it('take a range whose ends are the wrong way round, or beyond the text', () => {
    const { documents } = opened('abc');
    const [start, end] = [
      { line: 9, character: 9 },
      { line: 0, character: 1 },
    ];
    documents.change(URI, 2, [{ range: { start, end }, text: '-' }]);
    expect(documents.get(URI)?.lines?.text).to.equal('a-');
  });

  it('know nothing of what is not open, and nothing after it is closed', () => {
    const { documents, texts } = opened('a');
    expect(documents.change('file:///other', 1, [{ text: 'b' }])).to.equal(null);
    expect(documents.close('file:///other')).to.equal(null);
    expect(documents.close(URI)).to.include({ uri: URI });
    expect(texts.size).to.equal(0);
    expect(documents.all).to.deep.equal([]);
  });

  it('are not looked at while they are too large', () => {
    const { documents, texts } = opened('é'.repeat(TEXT_BYTES_MAX / 2 + 1));
    expect(documents.get(URI)?.lines).to.equal(null);
    expect(texts.size).to.equal(0);
    documents.change(URI, 2, [
      { range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }, text: '' },
    ]);
    expect(documents.get(URI)?.lines).to.equal(null);
    documents.change(URI, 3, [{ text: 'small' }]);
    expect(documents.get(URI)?.lines?.text).to.equal('small');
  });

  it('may have any address', () => {
    for (const uri of ['untitled:Untitled-1', 'file:///%zz', 'file://host/a.clj', 'no address', '']) {
      const { documents, texts } = opened('a', uri);
      expect(documents.get(uri)?.lines?.text).to.equal('a');
      expect(pathOf(uri)).to.equal(uri);
      expect([...texts.keys()]).to.deep.equal([uri]);
    }
    expect(uriOf('/a b/é.clj')).to.equal('file:///a%20b/%C3%A9.clj');
    expect(pathOf('file:///nowhere/a%20b.clj')).to.equal('/nowhere/a b.clj');
  });
});
