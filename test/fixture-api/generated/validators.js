// Generated from openapi.yaml by `npm run generate`. Do not edit.

// @ts-nocheck: its types are in validators.d.ts
import { fastFormats } from 'ajv-formats/dist/formats.js'

/**
 * @param {string} v
 * @param {keyof typeof fastFormats} name
 */
function hasFormat(v, name) {
  const format = fastFormats[name]
  /** @type {unknown} */
  const test = typeof format === 'object' && 'validate' in format ? format.validate : format
  if (test instanceof RegExp) return test.test(v)
  return test === true || (typeof test === 'function' && test(v) === true)
}

/** @typedef {(value: unknown) => boolean} Fits */

const anything = () => true
const nothing = () => false
/** @param {unknown} v */
const isObject = (v) => typeof v === 'object' && v !== null && !Array.isArray(v)

/**
 * @param {object} v
 * @param {ReadonlySet<string>} names
 */
function hasOnly(v, names) {
  for (const name in v) if (!names.has(name)) return false
  return true
}

/**
 * @param {Record<string, unknown>} v
 * @param {ReadonlySet<string>} names
 * @param {Fits} fits
 */
function haveOthers(v, names, fits) {
  for (const name in v) if (!names.has(name) && !fits(v[name])) return false
  return true
}

/**
 * @param {readonly unknown[]} v
 * @param {Fits} fits
 */
function haveAll(v, fits) {
  for (const item of v) if (!fits(item)) return false
  return true
}

/** @param {string} v */
function lengthOf(v) {
  let length = 0
  for (const _ of v) length++
  return length
}

/** @type {(() => void)[]} */
let undoing = []

/**
 * @param {Record<string, unknown>} v
 * @param {string} name
 * @param {() => unknown} make
 */
function fill(v, name, make) {
  if (v[name] !== undefined) return true
  const isThere = name in v
  undoing.push(() => {
    if (isThere) v[name] = undefined
    else delete v[name]
  })
  v[name] = make()
  return true
}

/**
 * What is not accepted here is for the validator to judge, as it was sent.
 * @param {Fits} fits
 * @returns {Fits}
 */
function orAsItWas(fits) {
  return (v) => {
    undoing = []
    const isAccepted = fits(v)
    if (!isAccepted) for (const undo of undoing.reverse()) undo()
    undoing = []
    return isAccepted
  }
}

const fits1 = (v) => Number.isInteger(v) && v >= 1 && v <= 50
const pattern2 = new RegExp("^[A-Za-z0-9_-]+$", 'u')
const fits3 = (v) => typeof v === 'string' && v.length >= 1 && (v.length <= 200 || lengthOf(v) <= 200) && pattern2.test(v)
const fits5 = (v) => (v === "drill" || v === "saw") && typeof v === 'string'
const fits4 = fits5 // #/components/schemas/Kind
const fits6 = (v) => Number.isFinite(v) && v <= 1000 && v > 0
const fits7 = (v) => isObject(v) && fill(v, "limit", () => (10)) && (v.limit === undefined || fits1(v.limit)) && (v.cursor === undefined || fits3(v.cursor)) && (v.kind === undefined || fits4(v.kind)) && v.tag === undefined && v.ids === undefined && (v["heavier-than"] === undefined || fits6(v["heavier-than"]))
const fits8 = (v) => typeof v === 'string' && hasFormat(v, "uuid")
const fits9 = (v) => isObject(v) && (v["x-trace"] === undefined || fits8(v["x-trace"]))
const fits10 = (v) => isObject(v) && v.shelf === undefined
const fits11 = (v) => isObject(v) && (v.path === undefined || isObject(v.path)) && (v.query === undefined || fits7(v.query)) && (v.headers === undefined || fits9(v.headers)) && (v.cookies === undefined || fits10(v.cookies)) && v.body === undefined
const pattern12 = new RegExp("^(?:[!#-~](?:[ -~]{0,253}[!-~])?|\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\")$", 'u')
const fits13 = (v) => typeof v === 'string' && v.length >= 1 && (v.length <= 512 || lengthOf(v) <= 512) && pattern12.test(v)
const fits14 = (v) => isObject(v) && (v["idempotency-key"] === undefined || fits13(v["idempotency-key"]))
const fits17 = (v) => Number.isInteger(v) && v >= 1 && v <= 9007199254740991 && Number.isSafeInteger(v)
const fits16 = fits17 // #/components/schemas/Id
const fits18 = (v) => isObject(v) && v.toolId !== undefined && fits16(v.toolId)
const fits19 = (v) => isObject(v) && (v.path === undefined || fits18(v.path)) && (v.query === undefined || isObject(v.query)) && (v.headers === undefined || isObject(v.headers)) && (v.cookies === undefined || isObject(v.cookies)) && v.body === undefined
const fits22 = (v) => typeof v === 'string' && v.length >= 1 && (v.length <= 100 || lengthOf(v) <= 100)
const fits23 = (v) => (typeof v === 'string' && (v.length <= 500 || lengthOf(v) <= 500) || v === null)
const fits25 = (v) => typeof v === 'string' && v.length >= 1 && (v.length <= 12 || lengthOf(v) <= 12)
const fits24 = fits25 // #/components/schemas/Tag
const fits26 = (v) => Array.isArray(v) && v.length <= 5 && v.length < 2 && haveAll(v, fits24)
const names27 = new Set(["name","note","tags"])
const fits28 = (v) => isObject(v) && (v.name === undefined || fits22(v.name)) && (v.note === undefined || fits23(v.note)) && (v.tags === undefined || fits26(v.tags)) && Object.keys(v).length >= 1 && hasOnly(v, names27)
const fits21 = fits28 // #/components/schemas/ToolChanges
const fits29 = (v) => isObject(v) && v.body !== undefined && (v.path === undefined || fits18(v.path)) && (v.query === undefined || isObject(v.query)) && (v.headers === undefined || isObject(v.headers)) && (v.cookies === undefined || isObject(v.cookies)) && fits21(v.body)
const fits30 = (v) => typeof v === 'string' && (v.length >= 4 || lengthOf(v) >= 2) && (v.length <= 20 || lengthOf(v) <= 20)
const fits31 = (v) => Number.isInteger(v) && v >= 1
const fits32 = (v) => isObject(v) && v.member !== undefined && v.number !== undefined && fits30(v.member) && fits31(v.number)
const fits33 = (v) => isObject(v) && (v.path === undefined || fits32(v.path)) && (v.query === undefined || isObject(v.query)) && (v.headers === undefined || isObject(v.headers)) && (v.cookies === undefined || isObject(v.cookies)) && v.body === undefined
const fits34 = (v) => isObject(v) && (v.path === undefined || isObject(v.path)) && (v.query === undefined || isObject(v.query)) && (v.headers === undefined || isObject(v.headers)) && (v.cookies === undefined || isObject(v.cookies)) && v.body === undefined
const fits35 = (v) => Number.isInteger(v) && v >= 0
const pattern36 = new RegExp("^[A-Za-z0-9-]{8,64}$", 'u')
const fits37 = (v) => typeof v === 'string' && pattern36.test(v)
const fits38 = (v) => v === "no-store" && typeof v === 'string'
const fits39 = (v) => v === "nosniff" && typeof v === 'string'
const fits40 = (v) => typeof v === 'string'
const names41 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Link","X-Total"])
const fits42 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits35(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits35(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits35(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits37(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits38(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits39(v["X-Content-Type-Options"])) && (v.Link === undefined || fits40(v.Link)) && (v["X-Total"] === undefined || fits35(v["X-Total"])) && hasOnly(v, names41)
const pattern45 = new RegExp("^@-?[0-9]+$", 'u')
const fits46 = (v) => typeof v === 'string' && pattern45.test(v)
const pattern47 = new RegExp("^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$", 'u')
const fits48 = (v) => typeof v === 'string' && pattern47.test(v)
const names49 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Deprecation","Sunset","Link"])
const fits50 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits35(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits35(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits35(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits37(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits38(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits39(v["X-Content-Type-Options"])) && (v.Deprecation === undefined || fits46(v.Deprecation)) && (v.Sunset === undefined || fits48(v.Sunset)) && (v.Link === undefined || fits40(v.Link)) && hasOnly(v, names49)
const fits53 = (v) => (v === "invalid_request" || v === "bad_request_framing" || v === "malformed_json" || v === "missing_api_key" || v === "invalid_api_key" || v === "not_found" || v === "method_not_allowed" || v === "not_acceptable" || v === "idempotency_in_progress" || v === "payload_too_large" || v === "unsupported_media_type" || v === "idempotency_key_reused" || v === "rate_limited" || v === "api_key_banned" || v === "internal_error" || v === "unavailable") && typeof v === 'string'
const fits52 = fits53 // #/components/schemas/ErrorCode
const fits54 = (v) => Number.isInteger(v) && v >= 400 && v <= 599
const names56 = new Set(["path","message"])
const fits57 = (v) => isObject(v) && v.path !== undefined && v.message !== undefined && fits40(v.path) && fits40(v.message) && hasOnly(v, names56)
const fits55 = fits57 // #/components/schemas/ErrorDetail
const fits58 = (v) => Array.isArray(v) && v.length <= 100 && haveAll(v, fits55)
const names59 = new Set(["code","message","status","details"])
const fits60 = (v) => isObject(v) && v.code !== undefined && v.message !== undefined && v.status !== undefined && fits52(v.code) && fits40(v.message) && fits54(v.status) && (v.details === undefined || fits58(v.details)) && hasOnly(v, names59)
const fits51 = fits60 // #/components/schemas/Error
const fits61 = (v) => v === "invalid_request"
const fits62 = (v) => v === 400
const fits63 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits61(v.code)) && (v.status === undefined || fits62(v.status)))
const fits64 = (v) => fits51(v) && fits63(v)
const fits65 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits50(v.headers) && fits64(v.body)
const pattern66 = new RegExp("^Bearer", 'u')
const fits67 = (v) => typeof v === 'string' && pattern66.test(v)
const names68 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate","Deprecation","Sunset","Link"])
const fits69 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits35(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits35(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits35(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits37(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits38(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits39(v["X-Content-Type-Options"])) && (v["WWW-Authenticate"] === undefined || fits67(v["WWW-Authenticate"])) && (v.Deprecation === undefined || fits46(v.Deprecation)) && (v.Sunset === undefined || fits48(v.Sunset)) && (v.Link === undefined || fits40(v.Link)) && hasOnly(v, names68)
const fits70 = (v) => (v === "missing_api_key" || v === "invalid_api_key")
const fits71 = (v) => v === 401
const fits72 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits70(v.code)) && (v.status === undefined || fits71(v.status)))
const fits73 = (v) => fits51(v) && fits72(v)
const fits74 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits69(v.headers) && fits73(v.body)
const fits75 = (v) => v === "not_acceptable"
const fits76 = (v) => v === 406
const fits77 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits75(v.code)) && (v.status === undefined || fits76(v.status)))
const fits78 = (v) => fits51(v) && fits77(v)
const fits79 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits50(v.headers) && fits78(v.body)
const names80 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After","Deprecation","Sunset","Link"])
const fits81 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits35(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits35(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits35(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits37(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits38(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits39(v["X-Content-Type-Options"])) && (v["Retry-After"] === undefined || fits31(v["Retry-After"])) && (v.Deprecation === undefined || fits46(v.Deprecation)) && (v.Sunset === undefined || fits48(v.Sunset)) && (v.Link === undefined || fits40(v.Link)) && hasOnly(v, names80)
const fits82 = (v) => (v === "rate_limited" || v === "api_key_banned")
const fits83 = (v) => v === 429
const fits84 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits82(v.code)) && (v.status === undefined || fits83(v.status)))
const fits85 = (v) => fits51(v) && fits84(v)
const fits86 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits81(v.headers) && fits85(v.body)
const fits87 = (v) => v === "internal_error"
const fits88 = (v) => v === 500
const fits89 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits87(v.code)) && (v.status === undefined || fits88(v.status)))
const fits90 = (v) => fits51(v) && fits89(v)
const fits91 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits50(v.headers) && fits90(v.body)
const fits92 = (v) => v === "unavailable"
const fits93 = (v) => v === 503
const fits94 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits92(v.code)) && (v.status === undefined || fits93(v.status)))
const fits95 = (v) => fits51(v) && fits94(v)
const fits96 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits81(v.headers) && fits95(v.body)
const fits97 = (v) => v === true && typeof v === 'boolean'
const names98 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Idempotent-Replayed"])
const fits99 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits35(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits35(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits35(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits37(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits38(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits39(v["X-Content-Type-Options"])) && (v["Idempotent-Replayed"] === undefined || fits97(v["Idempotent-Replayed"])) && hasOnly(v, names98)
const fits101 = (v) => (v === "invalid_request" || v === "malformed_json")
const fits102 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits101(v.code)) && (v.status === undefined || fits62(v.status)))
const fits103 = (v) => fits51(v) && fits102(v)
const fits104 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits50(v.headers) && fits103(v.body)
const names105 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"])
const fits106 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits35(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits35(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits35(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits37(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits38(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits39(v["X-Content-Type-Options"])) && (v["Retry-After"] === undefined || fits31(v["Retry-After"])) && hasOnly(v, names105)
const fits107 = (v) => v === "idempotency_in_progress"
const fits108 = (v) => v === 409
const fits109 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits107(v.code)) && (v.status === undefined || fits108(v.status)))
const fits110 = (v) => fits51(v) && fits109(v)
const fits111 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits106(v.headers) && fits110(v.body)
const names112 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"])
const fits113 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits35(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits35(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits35(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits37(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits38(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits39(v["X-Content-Type-Options"])) && hasOnly(v, names112)
const fits114 = (v) => v === "payload_too_large"
const fits115 = (v) => v === 413
const fits116 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits114(v.code)) && (v.status === undefined || fits115(v.status)))
const fits117 = (v) => fits51(v) && fits116(v)
const fits118 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits113(v.headers) && fits117(v.body)
const names119 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Accept","Accept-Encoding"])
const fits120 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits35(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits35(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits35(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits37(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits38(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits39(v["X-Content-Type-Options"])) && (v.Accept === undefined || fits40(v.Accept)) && (v["Accept-Encoding"] === undefined || fits40(v["Accept-Encoding"])) && hasOnly(v, names119)
const fits121 = (v) => v === "unsupported_media_type"
const fits122 = (v) => v === 415
const fits123 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits121(v.code)) && (v.status === undefined || fits122(v.status)))
const fits124 = (v) => fits51(v) && fits123(v)
const fits125 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits120(v.headers) && fits124(v.body)
const fits126 = (v) => v === "idempotency_key_reused"
const fits127 = (v) => v === 422
const fits128 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits126(v.code)) && (v.status === undefined || fits127(v.status)))
const fits129 = (v) => fits51(v) && fits128(v)
const fits130 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits113(v.headers) && fits129(v.body)
const fits132 = (v) => v === "not_found"
const fits133 = (v) => v === 404
const fits134 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits132(v.code)) && (v.status === undefined || fits133(v.status)))
const fits135 = (v) => fits51(v) && fits134(v)
const fits136 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits50(v.headers) && fits135(v.body)
const fits139 = (v) => isObject(v) && v.headers !== undefined && fits113(v.headers) && v.body === undefined
const names141 = new Set(["text"])
const fits142 = (v) => isObject(v) && v.text !== undefined && fits40(v.text) && hasOnly(v, names141)
const fits140 = fits142 // #/components/schemas/Manual
const fits143 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits50(v.headers) && fits140(v.body)
const fits145 = (v) => Number.isInteger(v)
const fits146 = (v) => typeof v === 'string' && hasFormat(v, "date")
const fits147 = (v) => Number.isFinite(v) && v >= 0
const fits148 = (v) => (v === "waived") && typeof v === 'string'
const fits149 = (v) => (fits147(v) || fits148(v))
const names150 = new Set(["member","number","due","deposit"])
const fits151 = (v) => isObject(v) && v.member !== undefined && v.number !== undefined && v.due !== undefined && fits40(v.member) && fits145(v.number) && fits146(v.due) && (v.deposit === undefined || fits149(v.deposit)) && hasOnly(v, names150)
const fits144 = fits151 // #/components/schemas/Loan
const fits152 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits113(v.headers) && fits144(v.body)
const names154 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Allow"])
const fits155 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits35(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits35(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits35(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits37(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits38(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits39(v["X-Content-Type-Options"])) && (v.Allow === undefined || fits40(v.Allow)) && hasOnly(v, names154)
const fits156 = (v) => isObject(v) && v.headers !== undefined && fits155(v.headers) && v.body === undefined
const fits157 = (v) => v === "method_not_allowed"
const fits158 = (v) => v === 405
const fits159 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits157(v.code)) && (v.status === undefined || fits158(v.status)))
const fits160 = (v) => fits51(v) && fits159(v)
const fits161 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits155(v.headers) && fits160(v.body)

export const digest = '76547fff5207d097333c8a2768fbfd8c5ee24602ea89aaaab9c2fd569c21bcbb'

export const requests = {
  __proto__: null,
  listTools: orAsItWas(fits11),
  getTool: orAsItWas(fits19),
  updateTool: orAsItWas(fits29),
  deleteTool: orAsItWas(fits19),
  getManual: orAsItWas(fits19),
  getLoan: orAsItWas(fits33),
  getOpeningHours: orAsItWas(fits34),
}

export const answers = {
  __proto__: null,
  listTools: {
    __proto__: null,
    400: { accepts: fits65, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    406: { accepts: fits79, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  createTool: {
    __proto__: null,
    400: { accepts: fits104, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    406: { accepts: fits79, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    409: { accepts: fits111, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    413: { accepts: fits118, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    415: { accepts: fits125, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    422: { accepts: fits130, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  getTool: {
    __proto__: null,
    400: { accepts: fits65, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    404: { accepts: fits136, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    406: { accepts: fits79, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  replaceTool: {
    __proto__: null,
    400: { accepts: fits104, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    404: { accepts: fits136, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    406: { accepts: fits79, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    413: { accepts: fits118, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    415: { accepts: fits125, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  updateTool: {
    __proto__: null,
    400: { accepts: fits104, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    404: { accepts: fits136, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    406: { accepts: fits79, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    413: { accepts: fits118, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    415: { accepts: fits125, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  deleteTool: {
    __proto__: null,
    204: { accepts: fits139, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    400: { accepts: fits65, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    404: { accepts: fits136, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    406: { accepts: fits79, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  getManual: {
    __proto__: null,
    200: { accepts: fits143, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    400: { accepts: fits65, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    404: { accepts: fits136, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    406: { accepts: fits79, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  getLoan: {
    __proto__: null,
    200: { accepts: fits152, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    400: { accepts: fits65, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    404: { accepts: fits136, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    406: { accepts: fits79, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  getOpeningHours: {
    __proto__: null,
    400: { accepts: fits65, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    406: { accepts: fits79, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
}

export const outside = {
  __proto__: null,
  204: { accepts: fits156, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Allow"] },
  401: { accepts: fits74, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
  404: { accepts: fits136, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
  405: { accepts: fits161, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Allow"] },
  429: { accepts: fits86, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  500: { accepts: fits91, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
  503: { accepts: fits96, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
}
