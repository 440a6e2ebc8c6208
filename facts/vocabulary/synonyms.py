"""Spelling variants and true synonyms of the predicate table.

Two wordings stand in one row only when swapping them never changes what a sentence says. `moved_to`
is not `lives_in` (one may have moved on since), `works_in` (a town) is not `works_at`.
"""

_ROWS: dict[str, str] = {
    # preferences
    "likes": "like liking loves love loving enjoys enjoy enjoying adores adore fond_of fan_of "
    "is_a_fan_of a_fan_of big_fan_of has_liking_for keen_on",
    "dislikes": "dislike disliking hates hate hating detests detest loathes loathe does_not_like "
    "doesnt_like do_not_like dont_like cannot_stand cant_stand can_not_stand not_fond_of",
    "prefers": "prefer preferring has_preference has_preference_for preference",
    "prefers_contact": "prefers_contact_channel preferred_contact preferred_contact_channel "
    "preferred_contact_method prefers_contact_method prefers_contact_via "
    "prefers_to_be_contacted_by contact_preference prefers_contact_by",
    "interested_in": "interest_in has_interest_in has_interest takes_interest_in "
    "takes_an_interest_in",
    "wants": "want wanting wishes_for would_like desires desire wants_to_have",
    "has_goal": "goal goals has_goals has_a_goal has_as_goal has_the_goal",
    "avoids": "avoid avoiding stays_away_from steers_clear_of",
    # people
    "has_spouse": "spouse has_wife has_husband wife husband married_to is_married_to wife_of "
    "husband_of spouse_of",
    "has_partner": "partner has_girlfriend has_boyfriend girlfriend boyfriend has_fiance "
    "has_fiancee engaged_to dating in_a_relationship_with has_significant_other partner_of",
    "has_manager": "manager has_boss boss reports_to reporting_to has_supervisor managed_by "
    "has_line_manager line_manager supervisor",
    "has_child": "child children has_children has_son has_daughter son daughter has_kid has_kids "
    "kids parent_of mother_of father_of",
    "has_parent": "parent parents has_parents has_mother has_father mother father has_mom has_dad "
    "has_mum child_of son_of daughter_of",
    "has_sibling": "sibling siblings has_siblings has_sister has_brother sister brother sibling_of "
    "sister_of brother_of",
    "has_friend": "friend friends has_friends has_best_friend best_friend friend_of friends_with",
    "has_colleague": "colleague colleagues coworker has_coworker has_co_worker co_worker "
    "colleague_of works_with has_teammate",
    "has_relative": "relative relatives has_cousin has_aunt has_uncle has_niece has_nephew "
    "has_grandmother has_grandfather has_grandchild relative_of related_to_by_family",
    "has_pet": "pet pets has_pets has_dog has_cat has_a_pet",
    "knows": "know acquainted_with is_acquainted_with",
    # places
    "lives_in": "live_in living_in lives_at resides_in reside_in residing_in resides_at based_in "
    "residence place_of_residence city_of_residence home_city lives "
    "current_residence",
    "born_in": "birthplace place_of_birth birth_place was_born_in",
    "from": "comes_from come_from coming_from hails_from originally_from originates_from hometown "
    "home_town native_of",
    "located_in": "located_at situated_in location headquartered_in has_location",
    "time_zone": "timezone has_timezone has_time_zone in_timezone in_time_zone",
    "visited": "has_visited has_been_to been_to",
    "travels_to": "travel_to traveling_to travelling_to going_on_a_trip_to trip_to",
    # work
    "works_at": "work_at working_at works_for work_for working_for employed_by employed_at "
    "employed_with employer has_employer employee_of has_job_at job_at",
    "works_as": "work_as working_as works_as_a works_as_an employed_as job_title has_job_title "
    "occupation has_occupation profession has_profession job has_job works_as_the",
    "studies_at": "study_at studying_at student_at enrolled_at enrolled_in_university "
    "attends_school attends_university goes_to_school_at",
    "works_on_team": "team on_team in_team member_of_team has_team works_in_team on_the_team "
    "team_name works_on_the_team",
    "works_on": "work_on working_on",
    "studies": "study studying learns learn learning student_of",
    "manages": "manage managing in_charge_of responsible_for",
    "founded": "founder_of co_founded cofounded founded_company has_founded co_founder_of",
    "skilled_in": "skilled_at skill skills has_skill has_skills proficient_in good_at expert_in "
    "experienced_in",
    "speaks": "speak speaking speaks_language speaks_languages has_language languages_spoken "
    "fluent_in",
    "uses": "use using utilizes utilises makes_use_of",
    # ownership
    "plan": "subscription_plan subscription_tier on_plan has_plan plan_tier product_plan "
    "on_the_plan",
    "owns": "own owning owner_of possesses is_the_owner_of is_owner_of",
    "subscribes_to": "subscribe_to subscribing_to subscribed_to subscriber_of has_subscription "
    "has_subscription_to",
    "bought": "purchased has_bought",
    "sold": "has_sold",
    # health
    "diet": "has_diet follows_diet dietary_preference on_diet diet_type follows_a_diet",
    "allergic_to": "allergy allergies has_allergy has_allergies has_allergy_to allergy_to "
    "has_an_allergy_to allergic",
    "has_condition": "condition conditions medical_condition has_medical_condition diagnosed_with "
    "suffers_from suffering_from has_disease has_illness health_condition",
    "takes_medication": "medication medications takes_medicine takes_drug on_medication "
    "has_medication taking_medication",
    "does_exercise": "exercise exercises does_sport exercise_routine",
    # financial
    "salary": "has_salary earns earn annual_salary",
    "budget": "has_budget",
    "price": "has_price costs cost priced_at cost_is",
    "pays_for": "pay_for paying_for",
    "invested_in": "invests_in invest_in investing_in has_investment_in investor_in",
    # events
    "scheduled_for": "scheduled_on scheduled_at takes_place_on scheduled happens_on",
    "deadline": "due due_on due_by has_deadline due_date",
    "born_on": "birthday birth_date birthdate date_of_birth has_birthday dob",
    "started_on": "start_date starts_on",
    "ended_on": "end_date ends_on",
    "attended": "took_part_in participated_in",
    "plans_to": "plan_to planning_to intends_to intend_to intending_to has_plan_to",
    "completed": "finished has_completed",
    "won": "has_won winner_of",
    # other
    "has_name": "name named called is_called full_name real_name goes_by",
    "age": "aged has_age years_old age_years",
    "gender": "sex has_gender gender_identity",
    "email": "e_mail has_email email_address e_mail_address mail_address emailaddress",
    "phone": "phone_number has_phone has_phone_number telephone mobile mobile_number "
    "telephone_number phonenumber cell_phone",
    "status": "has_status",
    "is_a": "isa is_an instance_of type_of",
    "has": "have having possess",
    "believes": "believe believing believes_in believes_that",
}

SYNONYMS: dict[str, str] = {
    variant: predicate for predicate, variants in _ROWS.items() for variant in variants.split()
}

# British spellings inside a predicate: one meaning, one spelling.
SPELLINGS: dict[str, str] = {
    "favourite": "favorite",
    "fav": "favorite",
    "fave": "favorite",
    "colour": "color",
    "neighbour": "neighbor",
    "organisation": "organization",
    "flavour": "flavor",
    "programme": "program",
    "centre": "center",
    "theatre": "theater",
}
