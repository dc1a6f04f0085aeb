const reserved =
  /^(?:arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/

/** Returns a name as an identifier that is not taken, and takes it. */
export function toIdentifier(name: string, taken: Set<string>): string {
  const joined = name.replaceAll(/[^\p{ID_Continue}$]+(.?)/gu, (_, next: string) =>
    next.toUpperCase(),
  )
  let result = /^\p{ID_Start}/u.test(joined) ? joined : `_${joined}`
  while (taken.has(result) || reserved.test(result)) {
    result += '_'
  }
  taken.add(result)
  return result
}

/** Returns a name as one of a type. */
export function toTypeName(name: string, taken: Set<string>): string {
  return toIdentifier(name.charAt(0).toUpperCase() + name.slice(1), taken)
}
