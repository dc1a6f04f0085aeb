export default {
  id: 'service',
  typeExtension: {
    oas3(types: any) {
      return {
        ...types,
        Root: {
          ...types.Root,
          properties: {
            ...types.Root.properties,
            'x-outside-operations': 'Responses',
            'x-framing-response': 'Response',
          },
        },
      }
    },
  },
}
