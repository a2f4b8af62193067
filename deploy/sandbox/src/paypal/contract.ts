import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import webhooks from "../../fixtures/paypal/notifications_webhooks_v1.json" with { type: "json" };
import payouts from "../../fixtures/paypal/payments_payouts_batch_v1.json" with { type: "json" };
import { type Detail, PayPalError } from "./errors.ts";

type Schema = { [name: string]: unknown };

/** Objects whose members PayPal's document leaves open: an event is whatever was sent. */
const OPEN = new Set(["event"]);

/** PayPal's document describes members without forbidding others; the sandbox forbids, so that no mistake of ours goes unseen. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Schema = Object.fromEntries(
    Object.entries(schema).map(([name, inner]) => [name, closed(inner)]),
  );
  if (copy.type === "object" && copy.properties && copy.additionalProperties === undefined)
    copy.additionalProperties = false;
  return copy;
}

function closedSchemas(schemas: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, OPEN.has(name) ? schema : closed(schema)]),
  );
}

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addFormat("ppaas_common_language_v3", true);
ajv.addSchema({
  $id: "http://sandbox/payouts",
  components: { schemas: closedSchemas(payouts.components.schemas) },
});
ajv.addSchema({
  $id: "http://sandbox/webhooks",
  components: { schemas: closedSchemas(webhooks.components.schemas) },
});

function schema(document: "payouts" | "webhooks", name: string): ValidateFunction {
  return ajv.compile({ $ref: `http://sandbox/${document}#/components/schemas/${name}` });
}

/** What PayPal's own documents say of the bodies it takes. */
export const bodies = {
  createPayout: schema("payouts", "create_payout_request"),
  createWebhook: schema("webhooks", "webhook"),
  patchWebhook: schema("webhooks", "patch_request"),
  verifySignature: schema("webhooks", "verify_webhook_signature"),
};

/** `/items/0/amount` as PayPal names it: `items[0].amount`. */
function fieldOf(pointer: string, member?: string): string {
  const steps = [...pointer.split("/").slice(1), ...(member === undefined ? [] : [member])];
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step),
    "",
  );
}

function detailOf({ keyword, instancePath, params, message }: ErrorObject): Detail {
  const { additionalProperty, missingProperty } = params as {
    additionalProperty?: string;
    missingProperty?: string;
  };
  const field = fieldOf(instancePath, additionalProperty ?? missingProperty);
  if (keyword === "additionalProperties") return { field, location: "body", issue: "Unknown field" };
  if (keyword === "required") return { field, location: "body", issue: "Required field is missing" };
  return { field, location: "body", issue: `Value is invalid: ${message}` };
}

/** The body, checked against PayPal's document; everything wrong with it in one VALIDATION_ERROR. */
export function checkBody<T>(validate: ValidateFunction, text: unknown): T {
  let body: unknown;
  try {
    body = JSON.parse(typeof text === "string" ? text : "");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new PayPalError(400, "MALFORMED_REQUEST", [{ location: "body", issue: "MALFORMED_REQUEST_JSON" }]);
  }
  if (!validate(body)) throw new PayPalError(400, "VALIDATION_ERROR", (validate.errors ?? []).map(detailOf));
  return body as T;
}
