// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.

// @ts-nocheck: its types are in validators.d.ts
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

const fits1 = (v) => Number.isInteger(v) && v >= 1 && v <= 100
const fits3 = (v) => (v === "available" || v === "pending" || v === "sold") && typeof v === 'string'
const fits2 = fits3 // #/components/schemas/PetStatus
const pattern4 = new RegExp("^[A-Za-z0-9_-]+$", 'u')
const fits5 = (v) => typeof v === 'string' && v.length >= 1 && (v.length <= 200 || lengthOf(v) <= 200) && pattern4.test(v)
const fits6 = (v) => isObject(v) && fill(v, "limit", () => (20)) && (v.limit === undefined || fits1(v.limit)) && (v.status === undefined || fits2(v.status)) && (v.cursor === undefined || fits5(v.cursor))
const fits7 = (v) => isObject(v) && (v.path === undefined || isObject(v.path)) && (v.query === undefined || fits6(v.query)) && (v.headers === undefined || isObject(v.headers)) && (v.cookies === undefined || isObject(v.cookies)) && v.body === undefined
const pattern8 = new RegExp("^(?:[!#-~](?:[ -~]{0,253}[!-~])?|\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\")$", 'u')
const fits9 = (v) => typeof v === 'string' && v.length >= 1 && (v.length <= 512 || lengthOf(v) <= 512) && pattern8.test(v)
const fits10 = (v) => isObject(v) && (v["idempotency-key"] === undefined || fits9(v["idempotency-key"]))
const pattern13 = new RegExp("^[^\\u0000\\uD800-\\uDFFF]*$", 'u')
const fits14 = (v) => typeof v === 'string' && v.length >= 1 && (v.length <= 1000 || lengthOf(v) <= 1000) && pattern13.test(v)
const fits16 = (v) => Number.isInteger(v) && v >= -9007199254740991 && v <= 9007199254740991 && Number.isSafeInteger(v)
const fits15 = fits16 // #/components/schemas/Id
const fits17 = (v) => isObject(v) && v.name !== undefined && v.categoryId !== undefined && fits14(v.name) && fits15(v.categoryId) && (v.status === undefined || fits2(v.status))
const fits12 = fits17 // #/components/schemas/PetFields
const names18 = new Set(["name","categoryId","status"])
const fits19 = (v) => fits12(v) && (!isObject(v) || hasOnly(v, names18))
const fits11 = fits19 // #/components/schemas/NewPet
const fits20 = (v) => isObject(v) && v.body !== undefined && (v.path === undefined || isObject(v.path)) && (v.query === undefined || isObject(v.query)) && (v.headers === undefined || fits10(v.headers)) && (v.cookies === undefined || isObject(v.cookies)) && fits11(v.body)
const fits21 = (v) => isObject(v) && v.petId !== undefined && fits15(v.petId)
const fits22 = (v) => isObject(v) && (v.path === undefined || fits21(v.path)) && (v.query === undefined || isObject(v.query)) && (v.headers === undefined || isObject(v.headers)) && (v.cookies === undefined || isObject(v.cookies)) && v.body === undefined
const fits23 = (v) => Number.isInteger(v) && v >= 0
const pattern24 = new RegExp("^[A-Za-z0-9-]{8,64}$", 'u')
const fits25 = (v) => typeof v === 'string' && pattern24.test(v)
const fits26 = (v) => v === "no-store" && typeof v === 'string'
const fits27 = (v) => v === "nosniff" && typeof v === 'string'
const fits28 = (v) => typeof v === 'string'
const names29 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Link"])
const fits30 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits23(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits23(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits23(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits25(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits26(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits27(v["X-Content-Type-Options"])) && (v.Link === undefined || fits28(v.Link)) && hasOnly(v, names29)
const fits34 = fits16 // #/components/schemas/Id
const fits35 = fits3 // #/components/schemas/PetStatus
const fits36 = (v) => isObject(v) && v.name !== undefined && v.categoryId !== undefined && fits14(v.name) && fits34(v.categoryId) && (v.status === undefined || fits35(v.status))
const fits33 = fits36 // #/components/schemas/PetFields
const fits37 = (v) => isObject(v) && v.id !== undefined && fits34(v.id)
const names38 = new Set(["name","categoryId","status","id"])
const fits39 = (v) => fits33(v) && fits37(v) && (!isObject(v) || hasOnly(v, names38))
const fits32 = fits39 // #/components/schemas/Pet
const fits40 = (v) => Array.isArray(v) && haveAll(v, fits32)
const fits31 = fits40 // #/components/schemas/Pets
const fits41 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits30(v.headers) && fits31(v.body)
const pattern42 = new RegExp("^@-?[0-9]+$", 'u')
const fits43 = (v) => typeof v === 'string' && pattern42.test(v)
const pattern44 = new RegExp("^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$", 'u')
const fits45 = (v) => typeof v === 'string' && pattern44.test(v)
const names46 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Deprecation","Sunset","Link"])
const fits47 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits23(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits23(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits23(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits25(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits26(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits27(v["X-Content-Type-Options"])) && (v.Deprecation === undefined || fits43(v.Deprecation)) && (v.Sunset === undefined || fits45(v.Sunset)) && (v.Link === undefined || fits28(v.Link)) && hasOnly(v, names46)
const fits50 = (v) => (v === "invalid_request" || v === "bad_request_framing" || v === "malformed_json" || v === "missing_api_key" || v === "invalid_api_key" || v === "not_found" || v === "method_not_allowed" || v === "not_acceptable" || v === "idempotency_in_progress" || v === "payload_too_large" || v === "unsupported_media_type" || v === "idempotency_key_reused" || v === "rate_limited" || v === "api_key_banned" || v === "internal_error" || v === "unavailable") && typeof v === 'string'
const fits49 = fits50 // #/components/schemas/ErrorCode
const fits51 = (v) => Number.isInteger(v) && v >= 400 && v <= 599
const names53 = new Set(["path","message"])
const fits54 = (v) => isObject(v) && v.path !== undefined && v.message !== undefined && fits28(v.path) && fits28(v.message) && hasOnly(v, names53)
const fits52 = fits54 // #/components/schemas/ErrorDetail
const fits55 = (v) => Array.isArray(v) && v.length <= 100 && haveAll(v, fits52)
const names56 = new Set(["code","message","status","details"])
const fits57 = (v) => isObject(v) && v.code !== undefined && v.message !== undefined && v.status !== undefined && fits49(v.code) && fits28(v.message) && fits51(v.status) && (v.details === undefined || fits55(v.details)) && hasOnly(v, names56)
const fits48 = fits57 // #/components/schemas/Error
const fits58 = (v) => v === "invalid_request"
const fits59 = (v) => v === 400
const fits60 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits58(v.code)) && (v.status === undefined || fits59(v.status)))
const fits61 = (v) => fits48(v) && fits60(v)
const fits62 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits47(v.headers) && fits61(v.body)
const pattern63 = new RegExp("^Bearer", 'u')
const fits64 = (v) => typeof v === 'string' && pattern63.test(v)
const names65 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate","Deprecation","Sunset","Link"])
const fits66 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits23(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits23(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits23(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits25(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits26(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits27(v["X-Content-Type-Options"])) && (v["WWW-Authenticate"] === undefined || fits64(v["WWW-Authenticate"])) && (v.Deprecation === undefined || fits43(v.Deprecation)) && (v.Sunset === undefined || fits45(v.Sunset)) && (v.Link === undefined || fits28(v.Link)) && hasOnly(v, names65)
const fits67 = (v) => (v === "missing_api_key" || v === "invalid_api_key")
const fits68 = (v) => v === 401
const fits69 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits67(v.code)) && (v.status === undefined || fits68(v.status)))
const fits70 = (v) => fits48(v) && fits69(v)
const fits71 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits66(v.headers) && fits70(v.body)
const fits72 = (v) => v === "not_acceptable"
const fits73 = (v) => v === 406
const fits74 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits72(v.code)) && (v.status === undefined || fits73(v.status)))
const fits75 = (v) => fits48(v) && fits74(v)
const fits76 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits47(v.headers) && fits75(v.body)
const fits77 = (v) => Number.isInteger(v) && v >= 1
const names78 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After","Deprecation","Sunset","Link"])
const fits79 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits23(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits23(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits23(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits25(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits26(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits27(v["X-Content-Type-Options"])) && (v["Retry-After"] === undefined || fits77(v["Retry-After"])) && (v.Deprecation === undefined || fits43(v.Deprecation)) && (v.Sunset === undefined || fits45(v.Sunset)) && (v.Link === undefined || fits28(v.Link)) && hasOnly(v, names78)
const fits80 = (v) => (v === "rate_limited" || v === "api_key_banned")
const fits81 = (v) => v === 429
const fits82 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits80(v.code)) && (v.status === undefined || fits81(v.status)))
const fits83 = (v) => fits48(v) && fits82(v)
const fits84 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits79(v.headers) && fits83(v.body)
const fits85 = (v) => v === "internal_error"
const fits86 = (v) => v === 500
const fits87 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits85(v.code)) && (v.status === undefined || fits86(v.status)))
const fits88 = (v) => fits48(v) && fits87(v)
const fits89 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits47(v.headers) && fits88(v.body)
const fits90 = (v) => v === "unavailable"
const fits91 = (v) => v === 503
const fits92 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits90(v.code)) && (v.status === undefined || fits91(v.status)))
const fits93 = (v) => fits48(v) && fits92(v)
const fits94 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits79(v.headers) && fits93(v.body)
const fits95 = (v) => v === true && typeof v === 'boolean'
const names96 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Idempotent-Replayed"])
const fits97 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits23(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits23(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits23(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits25(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits26(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits27(v["X-Content-Type-Options"])) && (v["Idempotent-Replayed"] === undefined || fits95(v["Idempotent-Replayed"])) && hasOnly(v, names96)
const fits98 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits97(v.headers) && fits32(v.body)
const fits99 = (v) => (v === "invalid_request" || v === "malformed_json")
const fits100 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits99(v.code)) && (v.status === undefined || fits59(v.status)))
const fits101 = (v) => fits48(v) && fits100(v)
const fits102 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits47(v.headers) && fits101(v.body)
const names103 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"])
const fits104 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits23(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits23(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits23(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits25(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits26(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits27(v["X-Content-Type-Options"])) && (v["Retry-After"] === undefined || fits77(v["Retry-After"])) && hasOnly(v, names103)
const fits105 = (v) => v === "idempotency_in_progress"
const fits106 = (v) => v === 409
const fits107 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits105(v.code)) && (v.status === undefined || fits106(v.status)))
const fits108 = (v) => fits48(v) && fits107(v)
const fits109 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits104(v.headers) && fits108(v.body)
const names110 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"])
const fits111 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits23(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits23(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits23(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits25(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits26(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits27(v["X-Content-Type-Options"])) && hasOnly(v, names110)
const fits112 = (v) => v === "payload_too_large"
const fits113 = (v) => v === 413
const fits114 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits112(v.code)) && (v.status === undefined || fits113(v.status)))
const fits115 = (v) => fits48(v) && fits114(v)
const fits116 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits111(v.headers) && fits115(v.body)
const names117 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Accept","Accept-Encoding"])
const fits118 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits23(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits23(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits23(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits25(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits26(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits27(v["X-Content-Type-Options"])) && (v.Accept === undefined || fits28(v.Accept)) && (v["Accept-Encoding"] === undefined || fits28(v["Accept-Encoding"])) && hasOnly(v, names117)
const fits119 = (v) => v === "unsupported_media_type"
const fits120 = (v) => v === 415
const fits121 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits119(v.code)) && (v.status === undefined || fits120(v.status)))
const fits122 = (v) => fits48(v) && fits121(v)
const fits123 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits118(v.headers) && fits122(v.body)
const fits124 = (v) => v === "idempotency_key_reused"
const fits125 = (v) => v === 422
const fits126 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits124(v.code)) && (v.status === undefined || fits125(v.status)))
const fits127 = (v) => fits48(v) && fits126(v)
const fits128 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits111(v.headers) && fits127(v.body)
const fits129 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits47(v.headers) && fits32(v.body)
const fits130 = (v) => v === "not_found"
const fits131 = (v) => v === 404
const fits132 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits130(v.code)) && (v.status === undefined || fits131(v.status)))
const fits133 = (v) => fits48(v) && fits132(v)
const fits134 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits47(v.headers) && fits133(v.body)
const names135 = new Set(["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Allow"])
const fits136 = (v) => isObject(v) && (v["X-RateLimit-Limit"] === undefined || fits23(v["X-RateLimit-Limit"])) && (v["X-RateLimit-Remaining"] === undefined || fits23(v["X-RateLimit-Remaining"])) && (v["X-RateLimit-Reset"] === undefined || fits23(v["X-RateLimit-Reset"])) && (v["X-Request-Id"] === undefined || fits25(v["X-Request-Id"])) && (v["Cache-Control"] === undefined || fits26(v["Cache-Control"])) && (v["X-Content-Type-Options"] === undefined || fits27(v["X-Content-Type-Options"])) && (v.Allow === undefined || fits28(v.Allow)) && hasOnly(v, names135)
const fits137 = (v) => isObject(v) && v.headers !== undefined && fits136(v.headers) && v.body === undefined
const fits138 = (v) => v === "method_not_allowed"
const fits139 = (v) => v === 405
const fits140 = (v) => (v === null || typeof v === 'boolean' || Number.isFinite(v) || typeof v === 'string' || Array.isArray(v) || isObject(v) && (v.code === undefined || fits138(v.code)) && (v.status === undefined || fits139(v.status)))
const fits141 = (v) => fits48(v) && fits140(v)
const fits142 = (v) => isObject(v) && v.headers !== undefined && v.body !== undefined && fits136(v.headers) && fits141(v.body)

export const digest = '46ee238e3ff41c0d75963391eafb2bf5f6ad17a2b70411e7a6852ffdcf1d2789'

export const requests = {
  __proto__: null,
  listPets: orAsItWas(fits7),
  createPet: orAsItWas(fits20),
  getPet: orAsItWas(fits22),
}

export const answers = {
  __proto__: null,
  listPets: {
    __proto__: null,
    200: { accepts: fits41, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    400: { accepts: fits62, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits71, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    406: { accepts: fits76, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits84, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits89, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits94, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  createPet: {
    __proto__: null,
    201: { accepts: fits98, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    400: { accepts: fits102, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits71, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    406: { accepts: fits76, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    409: { accepts: fits109, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    413: { accepts: fits116, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    415: { accepts: fits123, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    422: { accepts: fits128, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits84, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits89, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits94, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
  getPet: {
    __proto__: null,
    200: { accepts: fits129, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    400: { accepts: fits62, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    401: { accepts: fits71, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
    404: { accepts: fits134, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    406: { accepts: fits76, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    429: { accepts: fits84, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
    500: { accepts: fits89, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
    503: { accepts: fits94, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  },
}

export const outside = {
  __proto__: null,
  204: { accepts: fits137, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Allow"] },
  401: { accepts: fits71, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","WWW-Authenticate"] },
  404: { accepts: fits134, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
  405: { accepts: fits142, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Allow"] },
  429: { accepts: fits84, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
  500: { accepts: fits89, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options"] },
  503: { accepts: fits94, owed: ["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","X-Request-Id","Cache-Control","X-Content-Type-Options","Retry-After"] },
}
