const next = '</v2/tools?cursor=c2>; rel="next"'

/** `Link` fields (RFC 8288), each with what is special about it, and the cursor of the next page if it leads to one. */
export const nextLinks: readonly (readonly [
  name: string,
  field: string,
  cursor: string | undefined,
])[] = [
  ['after another link', `</v2/tools?cursor=c0>; rel="prev", ${next}`, 'c2'],
  ['without quotes', '</v2/tools?cursor=c2>;rel=next', 'c2'],
  // Only the cursor of the link is used.
  ['of another path', '</elsewhere?cursor=c2>; rel="next"', 'c2'],
  ['whose relation only starts with next', '</v2/tools?cursor=c2>; rel="next-archive"', undefined],
  ['among several relations', '</v2/tools?cursor=c2>; rel="alternate next"', 'c2'],
  ['in upper case', '</v2/tools?cursor=c2>; REL=NEXT', 'c2'],
  ['with spaces and empty parameters', '</v2/tools?cursor=c2> ;; rel = "next" ; ', 'c2'],
  ['after other parameters', `</v2/tools?cursor=c2>; title="a, <b>; rel=\\"c"; rel="next"`, 'c2'],
  ['before other parameters', '</v2/tools?cursor=c2>; rel="next"; title="a, b"', 'c2'],
  ['with an escaped letter', '</v2/tools?cursor=c2>; rel="n\\ext"', 'c2'],
  ['with a comma in its target', '</v2/tools?a=1,2&cursor=c2>; rel=next', 'c2'],
  ['after empty members of the list', `, ,${next},`, 'c2'],
  ['that is one of two', `${next}, </v2/tools?cursor=c3>; rel="next"`, 'c2'],
  [
    'whose second relation only is next',
    '</v2/tools?cursor=c2>; rel="prev"; rel="next"',
    undefined,
  ],
  [
    'in the title of another link',
    `</v2/tools?cursor=c0>; rel="prev"; title="${next.replaceAll('"', "'")}"`,
    undefined,
  ],
  [
    'in the title before another relation',
    '</v2/tools?cursor=c2>; title="a; rel=next"; rel=prev',
    undefined,
  ],
  ['that is a URI', '</v2/tools?cursor=c2>; rel="https://host.example/next"', undefined],
  [
    'from another page',
    '</v2/tools?cursor=c2>; rel="next"; anchor="/v2/tools?cursor=c9"',
    undefined,
  ],
  ['without a relation', '</v2/tools?cursor=c2>; title=next', undefined],
  ['without brackets', '/v2/tools?cursor=c2; rel="next"', undefined],
  ['whose quotes do not end', '</v2/tools?cursor=c2>; rel="next', undefined],
  ['whose target does not end', '</v2/tools?cursor=c2; rel="next"', undefined],
  ['with text between its parameters', '</v2/tools?cursor=c2>; rel="next" title="b"', undefined],
  ['after a syntax error', `</v2/tools?cursor=c0>; rel="prev, ${next}; "`, undefined],
  ['after thousands of parameters', `<a>${'; a="b"'.repeat(5_000)}, ${next}`, 'c2'],
  ['after thousands of brackets', `${'<'.repeat(20_000)}>, ${next}`, 'c2'],
  ['after thousands of open quotes', `${'</a>; ="'.repeat(19_999)}, ${next}`, undefined],
  ['after thousands of escaped quotes', `<a>; b="${'\\"'.repeat(20_000)}, ${next}`, undefined],
  ['whose quotes end with an escape', '</v2/tools?cursor=c2>; rel=next; a="b\\', undefined],
  ['whose relation ends after thousands of spaces', `<a>; rel=${' '.repeat(20_000)}"`, undefined],
]
