// Renders the OpenAPI document that lies beside this page.
const page = document.getElementById("docs");
SwaggerUIBundle({
  url: page.dataset.document,
  domNode: page,
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
