"""Nouns whose meaning decides a predicate: relations, animals, jobs, diets, conditions, sports."""

from dataclasses import dataclass
from typing import Literal

from facts.vocabulary.words import words

Gender = Literal["f", "m", ""]


@dataclass(frozen=True, slots=True)
class Relation:
    """What "my <noun>" makes of a person: the predicate, the gender it tells, plural or not."""

    predicate: str
    gender: Gender
    plural: bool


_RELATION_ROWS = """
has_sibling f sister sis stepsister half-sister
has_sibling m brother bro stepbrother half-brother
has_sibling . sibling twin
has_parent f mother mom mum mama mommy mummy mam
has_parent m father dad papa daddy pa
has_parent . parent
has_spouse f wife
has_spouse m husband hubby
has_spouse . spouse
has_partner f girlfriend gf fiancée
has_partner m boyfriend bf
has_partner . partner fiance fiancé fiancee
has_child f daughter
has_child m son
has_child . child kid baby toddler newborn
has_friend . friend bestie buddy pal
has_colleague . colleague coworker co-worker teammate workmate
has_manager . manager boss supervisor
has_relative f aunt auntie niece grandmother grandma granny nan sister-in-law mother-in-law
has_relative f daughter-in-law granddaughter stepmother stepmom nana godmother
has_relative m uncle nephew grandfather grandpa granddad brother-in-law father-in-law son-in-law
has_relative m grandson stepfather stepdad godfather
has_relative . cousin grandchild relative grandparent
has_roommate . roommate flatmate housemate
has_neighbor . neighbour neighbor
has_landlord . landlord landlady
has_dentist . dentist
has_doctor . doctor gp physician
has_therapist . therapist psychologist psychiatrist
has_physio . physio physiotherapist
has_lawyer . lawyer attorney solicitor
has_accountant . accountant
has_tutor . tutor
has_teacher . teacher
has_coach . coach
has_trainer . trainer
has_mentor . mentor
has_assistant . assistant
has_vet . vet
has_hairdresser . hairdresser barber
has_nanny . nanny babysitter
has_professor . professor
has_advisor . advisor adviser
has_contractor . contractor
has_cardiologist . cardiologist
has_dermatologist . dermatologist
has_midwife . midwife
has_gardener . gardener
has_cleaner . cleaner
"""

RELATIONS: dict[str, Relation] = {}
for _row in _RELATION_ROWS.strip().splitlines():
    _predicate, _gender, *_nouns = _row.split()
    for _noun in _nouns:
        _sex: Gender = "" if _gender == "." else _gender  # type: ignore[assignment]
        RELATIONS[_noun] = Relation(_predicate, _sex, False)
        RELATIONS[_noun + "s"] = Relation(_predicate, _sex, True)
RELATIONS["twins"] = Relation("has_child", "", True)
RELATIONS["children"] = Relation("has_child", "", True)
RELATIONS["kids"] = Relation("has_child", "", True)
RELATIONS["wives"] = Relation("has_spouse", "f", True)
RELATIONS["grandchildren"] = Relation("has_relative", "", True)
RELATIONS["parents-in-law"] = Relation("has_relative", "", True)
RELATIONS["in-laws"] = Relation("has_relative", "", True)

FAMILY_WORDS = words("mom mum dad mama papa grandma grandpa granny sis bro mother father nana")

ANIMALS = words(
    """dog cat puppy kitten doggo pup kitty hamster rabbit bunny parrot budgie canary goldfish fish
    turtle tortoise horse pony goat hen chicken duck lizard gecko snake ferret guinea-pig hedgehog
    cockatiel greyhound labrador beagle poodle retriever terrier whippet corgi dachshund husky
    spaniel collie bulldog shepherd tabby chihuahua pug gerbil chinchilla iguana donkey
    llama alpaca pig sheep cow"""
)

JOBS = words(
    """accountant actor actress actuary administrator advisor adviser agent analyst anaesthetist
    animator anthropologist archaeologist architect archivist artist assistant astronaut
    astronomer     attorney auditor author baker banker barber barista bartender beekeeper
    biologist blacksmith     bookkeeper botanist brewer bricklayer broker builder butcher
    buyer cameraman caregiver carer     caretaker carpenter cartographer cashier chauffeur
    chef chemist chiropractor clerk coach     cobbler coder comedian composer conductor
    consultant contractor cook coordinator copywriter     coroner counsellor counselor courier
    curator dancer dentist dermatologist designer detective     developer dietitian director
    dispatcher doctor drummer driver ecologist economist editor     electrician engineer
    entrepreneur estimator evaluator executive farmer filmmaker firefighter     fisherman
    florist forester freelancer gardener geologist glazier goldsmith graphic-designer
    guard guide guitarist hairdresser historian housekeeper illustrator influencer inspector
    instructor interpreter investigator janitor jeweller jeweler joiner journalist judge
    juggler     landscaper lawyer lead lecturer legislator librarian lifeguard linguist
    locksmith machinist magician     maker manager marketer mason masseur mathematician
    mechanic mediator meteorologist midwife     milliner miner model musician nanny negotiator
    neurologist notary novelist nurse nutritionist     officer oncologist operator optician
    optometrist orthodontist painter paralegal paramedic     pastor pathologist pediatrician
    paediatrician pharmacist philosopher photographer physician     physicist physio
    physiotherapist pianist pilot plasterer playwright plumber podiatrist poet     policeman
    policewoman politician porter postman potter principal producer professor programmer
    prosecutor psychiatrist psychologist publisher radiographer radiologist realtor
    receptionist     recruiter repairer reporter representative researcher restorer roofer
    sailor salesman salesperson     saleswoman scientist sculptor seamstress secretary server
    sheriff singer soldier solicitor     sommelier specialist statistician stonemason
    strategist stylist sub-editor superintendent     supervisor surgeon surveyor tailor
    tattooist teacher technician technologist teller tester     therapist toolmaker trader
    trainer translator treasurer trucker tutor typist underwriter upholsterer     usher valet
    vet veterinarian videographer violinist waiter waitress watchmaker weaver welder
    woodworker writer youtuber reviewer maintainer zookeeper zoologist sysadmin devops cto ceo
    cfo coo cio cmo cpo vp     founder co-founder head intern trainee apprentice freelancer
    dishwasher postdoc dean provost     bookseller sre qa pm stewardess steward undertaker
    goalkeeper nurse-practitioner"""
)
NOT_JOBS = words(
    "fan member lover person owner user guy girl man woman parent mother father beginner"
)

DIETS = words(
    """vegan vegetarian pescatarian pescetarian flexitarian keto paleo halal kosher gluten-free
    dairy-free lactose-free plant-based low-carb low-fodmap omnivore carnivore veggie sugar-free"""
)
CONDITION_ADJECTIVES = words(
    """diabetic asthmatic epileptic dyslexic autistic colorblind colourblind color-blind
    colour-blind     deaf blind anemic anaemic celiac coeliac pregnant short-sighted
    nearsighted myopic     hypertensive insomniac"""
)
CONDITIONS = words(
    """diabetes asthma migraine migraines arthritis epilepsy anxiety depression adhd autism eczema
    psoriasis hypertension insomnia anemia anaemia allergy allergies celiac coeliac covid flu
    pneumonia bronchitis tinnitus vertigo sciatica gout cancer endometriosis pcos ibs gerd reflux
    osteoporosis scoliosis dyslexia ptsd ocd lupus fibromyalgia hypothyroidism hyperthyroidism
    intolerance disease disorder syndrome infection pressure cholesterol headache headaches pain
    injury hernia tendonitis apnea apnoea fever hay-fever cold concussion fracture measles
    shingles glaucoma cataracts stroke condition reflux nosebleeds hayfever back-pain disc"""
)
SPORTS = words(
    """yoga pilates swimming running jogging cycling climbing bouldering tennis football soccer
    basketball volleyball badminton squash hiking rowing boxing karate judo crossfit weightlifting
    gym skiing snowboarding surfing skating dancing golf hockey cricket rugby handball walking
    aikido taekwondo fencing archery triathlon spinning zumba tai-chi parkour gymnastics padel
    kickboxing wrestling tango salsa ballet"""
)
# Verbs that are sport by themselves, with the noun of the activity.
SPORT_VERBS = {
    "swim": "swimming", "jog": "jogging", "cycle": "cycling", "climb": "climbing", "row": "rowing",
    "box": "boxing", "ski": "skiing", "snowboard": "snowboarding", "surf": "surfing",
    "hike": "hiking", "skate": "skating", "kayak": "kayaking", "dance": "dancing",
    "wrestle": "wrestling",
}  # fmt: skip
INSTRUMENTS = words(
    """piano guitar violin cello drums flute trumpet saxophone bass banjo ukulele harp clarinet oboe
    viola trombone accordion harmonica keyboard mandolin bassoon tuba sax organ bagpipes"""
)
LANGUAGES = words(
    """english german french spanish italian portuguese dutch swedish norwegian danish finnish
    icelandic polish czech slovak hungarian romanian bulgarian greek turkish arabic hebrew persian
    farsi hindi urdu bengali punjabi tamil telugu marathi gujarati chinese mandarin cantonese
    japanese korean vietnamese thai indonesian malay tagalog filipino swahili amharic yoruba igbo
    hausa zulu afrikaans russian ukrainian belarusian serbian croatian bosnian slovenian albanian
    macedonian lithuanian latvian estonian georgian armenian azerbaijani kazakh uzbek mongolian
    nepali sinhala burmese khmer lao catalan basque galician welsh irish gaelic latin esperanto asl
    maltese luxembourgish flemish"""
)
CONTACT_CHANNELS = words(
    """email e-mail emails phone text texts sms whatsapp signal telegram slack call calls mail
    letter     post chat teams discord zoom messages"""
)
COLOURS = words(
    """red green blue yellow orange purple violet pink brown black white grey gray teal turquoise
    beige navy maroon crimson terracotta magenta cyan lavender indigo gold silver burgundy olive
    mustard coral lilac ochre"""
)
# A noun that a date belongs to: "the recital is on Friday" is `scheduled_for`.
OCCASIONS = words(
    """meeting appointment kickoff kick-off review surgery operation wedding viewing flight exam
    interview party call demo launch opening concert conference workshop session lunch dinner
    ceremony graduation trip checkup check-up delivery release game match race marathon
    presentation visit webinar training class lesson standup retro inspection audit vote election
    hearing trial funeral move reunion anniversary gig show performance event festival vacation
    holiday scan mri therapy consultation consult tour cutover go-live rollout deployment
    maintenance sprint offsite summit hackathon open-day"""
)
